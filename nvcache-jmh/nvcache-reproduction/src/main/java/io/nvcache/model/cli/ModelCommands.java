// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.cli;

import io.nvcache.cli.kit.CommandModule;
import io.nvcache.progress.StopSignal;
import java.util.List;
import picocli.CommandLine;

/** Adds the commands {@code reproduce} and {@code whatif}. */
public final class ModelCommands implements CommandModule {
  @Override
  public List<String> names() {
    return List.of("reproduce", "whatif");
  }

  @Override
  public CommandLine create(String name, StopSignal stop) {
    return switch (name) {
      case "reproduce" -> new CommandLine(new ReproduceCommand(stop));
      case "whatif" -> new CommandLine(new WhatIfCommand());
      default -> throw new IllegalArgumentException("no command '" + name + "'");
    };
  }
}
