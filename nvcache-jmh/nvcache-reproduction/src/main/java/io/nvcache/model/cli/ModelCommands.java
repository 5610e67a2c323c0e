// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.cli;

import io.nvcache.cli.kit.CommandModule;
import io.nvcache.progress.StopSignal;
import java.util.List;
import picocli.CommandLine;

/** Adds the command {@code reproduce}. */
public final class ModelCommands implements CommandModule {
  @Override
  public List<String> names() {
    return List.of("reproduce");
  }

  @Override
  public CommandLine create(String name, StopSignal stop) {
    if (!name.equals("reproduce")) {
      throw new IllegalArgumentException("no command '" + name + "'");
    }
    return new CommandLine(new ReproduceCommand(stop));
  }
}
