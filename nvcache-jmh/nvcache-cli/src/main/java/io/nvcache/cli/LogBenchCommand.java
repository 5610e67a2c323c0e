// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.cli.H2Comparison.Result;
import io.nvcache.cli.H2Comparison.Way;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.cli.kit.Version;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.JsonRecords;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.crash.CrashReport;
import io.nvcache.writelog.crash.CrashRun;
import io.nvcache.writelog.crash.PlantedFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code log bench}. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Measures a log on an emulation of persistent memory against synced writes to a disk, and"
          + " lets it run through emulated crashes.",
      "Ends with 1 if a crash lost a byte."
    })
final class LogBenchCommand implements Callable<Integer> {
  /** Of the file that is written through a full log, by the least log's bytes. */
  private static final int FILE_BY_LOG = 8;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--log-dir",
      paramLabel = "DIRECTORY",
      description =
          "Where the logs go, memory best. Default: /dev/shm, or the directory of --dir without"
              + " one.")
  private @Nullable Path logDirectory;

  @Option(
      names = "--dir",
      paramLabel = "DIRECTORY",
      description =
          "Where the files go, on the disk to compare with. Default: that for temporary files.")
  private Path directory = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(
      names = "--writes",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Synced writes to measure, 10 to 1000000. Default: ${DEFAULT-VALUE}.")
  private String writes = "";

  @Option(
      names = "--crashes",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Crashes to emulate, 0 to 1000000000. Default: ${DEFAULT-VALUE}.")
  private String crashes = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the crashes. Default: ${DEFAULT-VALUE}.")
  private String seed = "";

  @Option(
      names = "--logs",
      paramLabel = "MIB,...",
      defaultValue = "64,256,1024",
      description = "Lengths of full logs in MiB, 1 to 1024. Default: ${DEFAULT-VALUE}.")
  private String logs = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Seconds of each run of a full log, or of H2, 1 to 600. Default: ${DEFAULT-VALUE}.")
  private String seconds = "";

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Runs of H2 each way, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private String rounds = "";

  @Option(
      names = "--h2",
      paramLabel = "JAR",
      description = "The jar of H2. Default: the one that the build has put beside this program.")
  private @Nullable Path h2;

  @Mixin private final RecordOptions output = new RecordOptions();

  private final StopSignal stop;

  LogBenchCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException {
    OptionReader reader = new OptionReader(spec.commandLine());
    output.check(reader);
    int measured = (int) reader.wholeNumber("--writes", writes, 10, 1_000_000);
    long toCrash = reader.wholeNumber("--crashes", crashes, 0, 1_000_000_000);
    long from = reader.wholeNumber("--seed", seed, -OptionReader.MAX_SEED, OptionReader.MAX_SEED);
    long each = reader.wholeNumber("--seconds", seconds, 1, 600);
    int runs = (int) reader.wholeNumber("--rounds", rounds, 1, 1000);
    List<Long> mebibytes = reader.wholeNumbers("--logs", logs, 1, 1024);
    long fileBytes = FILE_BY_LOG * (Collections.min(mebibytes) << 20);
    List<JsonRecords.Entry> records = new ArrayList<>();
    try (LogBench bench = new LogBench(logDirectory, reader.directory("--dir", directory))) {
      if (!bench.writesLinesBack()) {
        spec.commandLine()
            .getErr()
            .println("cache lines are not written back here, only fenced: appends look faster");
      }
      Map<String, String> emulated =
          Map.of("medium", "emulated", "lines", bench.writesLinesBack() ? "flushed" : "fenced");
      add(records, "append_ratio_to_persistent_copy", emulated, bench.appendRatio());
      for (Propagation propagation : Propagation.values()) {
        if (!stop.isRequested()) {
          String name = propagation.name().toLowerCase(Locale.ROOT);
          Map<String, String> mode = Map.of("medium", "emulated", "mode", name);
          double speedup = bench.speedupOverForce(measured, propagation);
          add(records, "write_speedup_over_force", mode, speedup);
        }
      }
      if (!stop.isRequested()) {
        add(records, "recovery_seconds_per_gib", emulated, bench.recoverySecondsPerGib());
      }
      for (long length : mebibytes) {
        if (!stop.isRequested()) {
          Map<String, String> log = Map.of("medium", "emulated", "log", length + " MiB");
          long nanos = TimeUnit.SECONDS.toNanos(each);
          double ratio = bench.saturatedRatio((int) length, fileBytes, nanos);
          add(records, "saturated_ratio_to_raw_drain", log, ratio);
        }
      }
      if (!stop.isRequested()) {
        compareH2(bench.h2(H2Comparison.driver(h2)), runs, each, records);
      }
    }
    long crashed = 0;
    long lost = 0;
    for (Propagation propagation : Propagation.values()) {
      // Half of them for each; of an odd count, the second has one more.
      long count = propagation == Propagation.ON_WRITE ? toCrash / 2 : toCrash - toCrash / 2;
      CrashReport report =
          new CrashRun(from, PlantedFault.NONE, propagation).run(count, stop::isRequested);
      report.findings().forEach(spec.commandLine().getErr()::println);
      crashed += report.crashes();
      lost += report.lost() + report.resurrected();
    }
    Map<String, String> run = Map.of("seed", Long.toString(from));
    add(records, "crashes", run, (double) crashed);
    add(records, "lost", run, (double) lost);
    output.write(records);
    return lost > 0 ? ExitCode.FAILED : stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private void compareH2(
      @Nullable H2Comparison h2Comparison, int runs, long each, List<JsonRecords.Entry> records)
      throws IOException {
    if (h2Comparison == null) {
      spec.commandLine().getErr().println("no H2 beside this program: its commits are left out");
      return;
    }
    Map<Way, Result> results = h2Comparison.run(runs, each);
    Result synced = of(results, Way.FORCED);
    Result plain = of(results, Way.AS_IS);
    for (Way way : List.of(Way.ON_WRITE, Way.DEFERRED)) {
      Map<String, String> mode =
          Map.of("medium", "emulated", "mode", way.name().toLowerCase(Locale.ROOT));
      Result logged = of(results, way);
      double speedup = logged.commitsPerSecond() / synced.commitsPerSecond();
      add(records, "h2_tps_ratio_to_sync", mode, speedup);
      add(
          records,
          "h2_latency_ratio_to_unsafe",
          mode,
          logged.medianMicros() / plain.medianMicros());
    }
  }

  private static Result of(Map<Way, Result> results, Way way) {
    return Objects.requireNonNull(results.get(way), way.name());
  }

  private void add(
      List<JsonRecords.Entry> records, String metric, Map<String, String> labels, double value) {
    JsonRecords.add(records, metric, labels, value, "");
    PrintWriter out = spec.commandLine().getOut();
    out.println(String.format(Locale.ROOT, "%-32s %.4g", metric, value));
    out.flush();
  }
}
