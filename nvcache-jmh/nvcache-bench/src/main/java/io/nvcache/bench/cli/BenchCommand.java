// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.cli.kit.CommandGroup;
import io.nvcache.cli.kit.KnownCommand;
import picocli.CommandLine.Command;

/** The command {@code bench}: caches side by side inside a host, or next to the bare drive. */
@Command(
    name = "bench",
    synopsisSubcommandLabel = "BENCHMARK",
    description = {KnownCommand.BENCH_SUMMARY, "scripts/bench compares caches without a host."})
final class BenchCommand extends CommandGroup {
  BenchCommand() {
    super("say which");
  }
}
