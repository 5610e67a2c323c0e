// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.cli.kit.CommandModule;
import io.nvcache.progress.StopSignal;
import io.nvcache.stress.StressCommand;
import java.util.List;
import picocli.CommandLine;

/** Adds the commands {@code bench} and {@code stress}. */
public final class BenchCommands implements CommandModule {
  @Override
  public List<String> names() {
    return List.of("bench", "stress");
  }

  @Override
  public CommandLine create(String name, StopSignal stop) {
    return switch (name) {
      case "bench" ->
          new CommandLine(new BenchCommand())
              .addSubcommand(new BenchFlashCommand(stop))
              .addSubcommand(new BenchHBaseCommand(stop))
              .addSubcommand(new BenchHBaseClientsCommand(stop))
              .addSubcommand(new BenchRestartCommand(stop));
      case "stress" -> new CommandLine(new StressCommand(stop));
      default -> throw new IllegalArgumentException("no command '" + name + "'");
    };
  }
}
