// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.bench.flash.FlashBench;
import io.nvcache.bench.flash.FlashBench.Settings;
import io.nvcache.bench.flash.FlashBenchReport;
import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench flash}: what a hit on flash costs compared with a bare read. */
@Command(
    name = "flash",
    customSynopsis = "nvcache bench flash [OPTION]...",
    description = {
      "Compares hits of a cache on flash with bare direct reads of the same file, in turns, in"
          + " processor time and in reads a second.",
      "Both pass the page cache by, whatever the memory. Does the same during writes."
    })
final class BenchFlashCommand extends Action {
  private static final long MIB = 1L << 20;

  @Option(
      names = "--threads",
      paramLabel = "LIST",
      defaultValue = "1,4,16",
      description = "Threads that read at once, 1 to 256 each. Default: ${DEFAULT-VALUE}.")
  private String threads = "";

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "1GiB",
      description = "Size of the cache's file, 16MiB to 1TiB. Default: ${DEFAULT-VALUE}.")
  private String size = "";

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      defaultValue = "16KiB",
      description =
          "Size of a block, 4KiB to 256KiB, a multiple of the file system's block. Default:"
              + " ${DEFAULT-VALUE}.")
  private String block = "";

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "Turns of either side, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private String rounds = "";

  @Option(
      names = "--turn",
      paramLabel = "MILLISECONDS",
      defaultValue = "2000",
      description = "How long a turn takes, 10 to 600000. Default: ${DEFAULT-VALUE}.")
  private String turn = "";

  @Option(
      names = "--directory",
      paramLabel = "DIRECTORY",
      description =
          "Where the cache's file goes for the time of the run. Default: the system's temporary"
              + " directory.")
  private @Nullable Path directory;

  @Mixin private final RecordOptions output = new RecordOptions();

  private final StopSignal stop;

  BenchFlashCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException {
    OptionReader reader = reader();
    Settings settings = settings(reader);
    output.check(reader);
    Measurements measured = new FlashBench(settings, output.progress(err()), stop).run();
    Terminal.print(
        out(), FlashBenchReport.tables(measured, settings), FlashBenchReport.notes(measured));
    output.write(measured.records());
    double wrong = measured.sum("wrong_blocks");
    if (wrong > 0) {
      throw new IllegalStateException((long) wrong + " hits gave wrong bytes");
    }
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private Settings settings(OptionReader reader) {
    Path place = reader.directory("--directory", directory);
    long blockBytes = reader.size("--block", block, 4 << 10, 256 << 10);
    if (blockBytes % 4096 != 0) {
      throw reader.bad("--block", block, "a multiple of 4KiB");
    }
    return new Settings(
        reader.wholeNumbers("--threads", threads, 1, 256).stream().map(Long::intValue).toList(),
        reader.size("--size", size, 16 * MIB, 1L << 40),
        (int) blockBytes,
        (int) reader.wholeNumber("--rounds", rounds, 1, 1000),
        Duration.ofMillis(reader.wholeNumber("--turn", turn, 10, 600_000)),
        place);
  }
}
