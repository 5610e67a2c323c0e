// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench}: caches side by side inside a host, or next to the bare drive. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    synopsisSubcommandLabel = "BENCHMARK",
    description = {KnownCommand.BENCH_SUMMARY, "scripts/bench compares caches without a host."})
final class BenchCommand implements Runnable {
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "say which: " + String.join(", ", spec.subcommands().keySet()));
  }
}
