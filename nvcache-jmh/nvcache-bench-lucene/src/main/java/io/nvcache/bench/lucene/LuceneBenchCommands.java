// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.cli.kit.CommandModule;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.Version;
import io.nvcache.progress.StopSignal;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Adds the command {@code bench lucene}, in a program of its own: Lucene needs JDK 21. */
public final class LuceneBenchCommands implements CommandModule {
  @Override
  public List<String> names() {
    return List.of("bench");
  }

  @Override
  public CommandLine create(String name, StopSignal stop) {
    if (!name.equals("bench")) {
      throw new IllegalArgumentException("no command '" + name + "'");
    }
    return new CommandLine(new Bench()).addSubcommand(new LuceneBenchCommand(stop));
  }

  /** The command that has {@code lucene} below it. */
  @Command(
      name = "bench",
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      synopsisSubcommandLabel = "HOST",
      description = KnownCommand.BENCH_SUMMARY)
  static final class Bench implements Runnable {
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
      throw new ParameterException(spec.commandLine(), "say which host: lucene");
    }
  }
}
