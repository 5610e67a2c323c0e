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
  public List<CommandLine> commands(StopSignal stop) {
    return List.of(
        new CommandLine(new BenchCommand())
            .addSubcommand(new BenchFlashCommand(stop))
            .addSubcommand(new BenchHBaseCommand(stop)),
        new CommandLine(new StressCommand(stop)));
  }
}
