// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.bench.log.LogBenchCommand;
import io.nvcache.cli.kit.CommandModule;
import io.nvcache.progress.StopSignal;
import io.nvcache.stress.StressCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Adds the commands {@code bench}, {@code stress} and {@code log bench}. */
public final class BenchCommands implements CommandModule {
  @Override
  public List<String> names() {
    return List.of("bench", "stress", "log");
  }

  @Override
  public CommandLine create(String name, StopSignal stop) {
    return switch (name) {
      case "bench" ->
          new CommandLine(new BenchCommand())
              .addSubcommand(new BenchFlashCommand(stop))
              .addSubcommand(new BenchHBaseCommand(stop))
              .addSubcommand(new BenchHBaseClientsCommand(stop))
              .addSubcommand(new BenchHBaseDayCommand(stop))
              .addSubcommand(new BenchRestartCommand(stop));
      case "log" ->
          new CommandLine(CommandSpec.create()).addSubcommand("bench", new LogBenchCommand(stop));
      case "stress" -> new CommandLine(new StressCommand(stop));
      default -> throw new IllegalArgumentException("no command '" + name + "'");
    };
  }
}
