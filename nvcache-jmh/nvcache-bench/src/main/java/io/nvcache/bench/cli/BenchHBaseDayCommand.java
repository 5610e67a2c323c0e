// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.bench.day.DayBench;
import io.nvcache.bench.day.DayEngine;
import io.nvcache.bench.day.DayFigures;
import io.nvcache.bench.day.DayPictures;
import io.nvcache.bench.day.DayReport;
import io.nvcache.bench.day.DaySettings;
import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench hbase-day}: a day of a region server, with each second level. */
@Command(
    name = "hbase-day",
    customSynopsis = "nvcache bench hbase-day [OPTION]...",
    description = {
      "Lives a day of a region server in half an hour, with nothing, a tuned BucketCache or NVCache"
          + " below its DRAM cache: zipfian reads with writes, a region that is moved, a scan, a"
          + " restart, a kill, a major compaction, and a volume that is pulled. The servers are up"
          + " at the same time and are read in turns. Each value that is read is checked. Prints"
          + " tables in Markdown.",
      "scripts/hbase-clients --day calls it with the class path that Maven resolves."
    })
final class BenchHBaseDayCommand extends Action {
  private static final long MIB = 1L << 20;

  @Option(
      names = "--engines",
      paramLabel = "LIST",
      description =
          "none, bucket-file, bucket-file-compacted, nvcache-flash, nvcache-flash-noheat. Default:"
              + " all.")
  private @Nullable String engines;

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      defaultValue = "208MiB",
      description = "Size of each second level, 16MiB to 64GiB. Default: ${DEFAULT-VALUE}.")
  private String capacity = "";

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Rows of a kilobyte, 1000 to 100000000. Default: ${DEFAULT-VALUE}.")
  private String rows = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "8",
      description = "Threads that read at once, 1 to 256. Default: ${DEFAULT-VALUE}.")
  private String threads = "";

  @Option(
      names = "--writes",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description = "Calls of a hundred that write, 0 to 50. Default: ${DEFAULT-VALUE}.")
  private String writes = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Length of a turn, 1 to 3600; each engine has 12 to 15. Default: ${DEFAULT-VALUE}.")
  private String seconds = "";

  @Option(
      names = "--delay",
      paramLabel = "MILLISECONDS",
      defaultValue = "5",
      description =
          "By how much each request to a store file takes longer, 1 to 1000. Default:"
              + " ${DEFAULT-VALUE}.")
  private String delay = "";

  @Option(
      names = "--pictures",
      paramLabel = "DIRECTORY",
      description = "Where the data of the picture of the day go, as docs/evidence/data has them.")
  private @Nullable Path pictures;

  @Option(
      names = "--balancer-moves",
      paramLabel = "N",
      description =
          "Regions that HBase's balancer moved in ColdRegionsTest, to be recorded."
              + " scripts/hbase-clients runs it.")
  private @Nullable String balancerMoves;

  @Mixin private final ServerOptions servers = new ServerOptions();

  @Mixin private final RecordOptions output = new RecordOptions();

  private final StopSignal stop;

  BenchHBaseDayCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws Exception {
    OptionReader reader = reader();
    DaySettings settings = settings(reader);
    OptionalLong moves =
        balancerMoves == null
            ? OptionalLong.empty()
            : OptionalLong.of(reader.wholeNumber("--balancer-moves", balancerMoves, 0, 1000));
    output.check(reader);
    Path ofPictures = pictures == null ? null : reader.directory("--pictures", pictures);
    DayBench bench = new DayBench(settings, output.progress(err()), stop);
    DayFigures figures = bench.run();
    if (moves.isPresent()) {
      figures = figures.withBalancerMoves(moves.getAsLong());
    }
    PrintWriter out = out();
    out.println();
    out.println(DayReport.tables(figures, settings));
    out.flush();
    output.write(DayReport.records(figures, settings));
    if (ofPictures != null) {
      DayPictures.write(figures, settings, ofPictures);
    }
    Optional<Exception> failure = bench.failure();
    if (failure.isPresent()) {
      throw failure.get();
    }
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private DaySettings settings(OptionReader reader) throws IOException {
    return new DaySettings(
        reader.listOf("--engines", engines, DayEngine.values(), DayEngine::label),
        reader.size("--capacity", capacity, 16 * MIB, 64L << 30),
        (int) reader.wholeNumber("--rows", rows, 1000, 100_000_000),
        (int) reader.wholeNumber("--threads", threads, 1, 256),
        (int) reader.wholeNumber("--writes", writes, 0, 50),
        Duration.ofSeconds(reader.wholeNumber("--seconds", seconds, 1, 3600)),
        servers.base(reader, Duration.ofMillis(reader.wholeNumber("--delay", delay, 1, 1000))),
        servers.directory(reader));
  }
}
