// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.bench.restart.RestartBench;
import io.nvcache.bench.restart.RestartBench.Engine;
import io.nvcache.bench.restart.RestartBench.Settings;
import io.nvcache.bench.restart.RestartBench.Stop;
import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Figures;
import io.nvcache.report.Measurements;
import io.nvcache.report.TableView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench restart}: what caches find again, and how soon. */
@Command(
    name = "restart",
    customSynopsis = "nvcache bench restart [OPTION]...",
    description = {
      "Fills caches in processes that close them or are killed, and opens them in others, which read"
          + " while blocks are restored: NVCache on flash, and BucketCache in a file with its persistent map."
    })
final class BenchRestartCommand extends Action {
  private static final long MIB = 1L << 20;
  private static final long MOST_BLOCKS = 100_000_000;

  private static final TableView RESTARTS =
      TableView.by("engine", "stop", "medium", "blocks")
          .column("restored", "restored_ratio", Figures::percent)
          .column("first hit", "first_hit_ms", ms -> Figures.micros(1e3 * ms))
          .column("all after", "restart_seconds", s -> Figures.micros(1e6 * s))
          .column("a block", "restart_us_per_block", us -> Figures.decimal(us) + " µs")
          .column("CPU/block", "restore_cpu_ns_per_block", ns -> Figures.count(ns) + " ns")
          .column("p99", "hit_p99_ratio_to_after", Figures::times)
          .column("DRAM", "dram_peak_ratio_to_after", Figures::times);

  /** What the columns mean. */
  private static final String LEGEND =
      "From the call that opens the cache: the first hit of one thread that reads blocks at random,"
          + " and when all is there that was found. CPU: the process"
          + " without these reads; p99 of a hit while blocks are restored ÷ after; DRAM: the"
          + " process's peak until then ÷ after.";

  @Option(
      names = "--engines",
      paramLabel = "LIST",
      description = "nvcache, bucket-file. Default: both.")
  private @Nullable String engines;

  @Option(names = "--stops", paramLabel = "LIST", description = "clean, kill. Default: both.")
  private @Nullable String stops;

  @Option(
      names = "--blocks",
      paramLabel = "LIST",
      defaultValue = "1000000",
      description =
          "How many blocks each engine holds, 1000 to 100000000, or 0 for no such run."
              + " Default: ${DEFAULT-VALUE}.")
  private String blocks = "";

  @Option(
      names = "--listed",
      paramLabel = "LIST",
      defaultValue = "16000000",
      description =
          "How many blocks of 512B NVCache holds on a medium that drops the bytes of most of them, and"
              + " keeps what a restart reads, 1000 to 100000000, or 0 for no such run."
              + " Default: ${DEFAULT-VALUE}.")
  private String listed = "";

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      defaultValue = "1KiB",
      description =
          "Size of a block of --blocks, 512B to 256KiB, a multiple of 64B. Default:"
              + " ${DEFAULT-VALUE}.")
  private String block = "";

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "2GiB",
      description = "Heap of each process, 256MiB to 1TiB. Default: ${DEFAULT-VALUE}.")
  private String heap = "";

  @Option(
      names = "--directory",
      paramLabel = "DIRECTORY",
      description =
          "Where the caches' files go for the time of the run. Default: the system's temporary"
              + " directory.")
  private @Nullable Path directory;

  @Mixin private final RecordOptions output = new RecordOptions();

  private final StopSignal stop;

  BenchRestartCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionReader reader = reader();
    Settings settings = settings(reader);
    output.check(reader);
    Measurements measured = new RestartBench(settings, output.progress(err()), stop).run();
    Terminal.print(out(), RESTARTS.of("Restarts", measured, Map.of()), List.of(LEGEND));
    output.write(measured.records());
    double wrong = measured.sum("wrong_blocks");
    if (wrong > 0) {
      throw new IllegalStateException((long) wrong + " hits gave wrong bytes");
    }
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private Settings settings(OptionReader reader) {
    Path place = reader.directory("--directory", directory);
    long blockBytes = reader.size("--block", block, 512, 256 << 10);
    if (blockBytes % 64 != 0) {
      throw reader.bad("--block", block, "a multiple of 64B");
    }
    return new Settings(
        reader.listOf("--engines", engines, Engine.values(), Engine::label),
        reader.listOf("--stops", stops, Stop.values(), Stop::label),
        counts(reader, "--blocks", blocks),
        counts(reader, "--listed", listed),
        (int) blockBytes,
        reader.size("--heap", heap, 256 * MIB, 1L << 40),
        place);
  }

  /** Returns the numbers of an option; none if it is 0. */
  private static List<Long> counts(OptionReader reader, String option, String text) {
    return text.equals("0") ? List.of() : reader.wholeNumbers(option, text, 1000, MOST_BLOCKS);
  }
}
