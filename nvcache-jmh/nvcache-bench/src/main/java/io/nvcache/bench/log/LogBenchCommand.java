// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import io.nvcache.bench.log.FullLogBench.Order;
import io.nvcache.bench.log.FullLogBench.Taken;
import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.RecordOptions;
import io.nvcache.llpl.PmemLibraries;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.crash.CrashReport;
import io.nvcache.writelog.crash.CrashRun;
import io.nvcache.writelog.crash.PlantedFault;
import io.nvcache.writelog.log.LogSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code log bench}. */
@Command(
    name = "bench",
    description = {
      "Measures a log on an emulation of persistent memory against synced writes to a disk, and"
          + " lets it run through emulated crashes.",
      "Ends with 1 if a crash lost a byte."
    })
public final class LogBenchCommand extends Action {
  /** Of the file whose blocks are written once through full logs, by the longest log's bytes. */
  private static final int FILE_BY_LOG = 2;

  /** Of the file whose blocks are written again, by the shortest log's bytes. */
  private static final int SHORT_FILE_BY_LOG = 8;

  private static final int STARTS_A_ROUND = 5;

  /** The lines are written back, but to whatever memory there is. */
  private static final Map<String, String> PMDK = Map.of("medium", "emulated", "lines", "pmdk");

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
      names = "--batches",
      paramLabel = "N,...",
      defaultValue = "1,10,100,1000,10000",
      description =
          "Batches of the drain of the shortest one, 1 to 1000000. Default: ${DEFAULT-VALUE}.")
  private String batches = "";

  @Option(
      names = "--burst",
      paramLabel = "MIB",
      defaultValue = "1024",
      description =
          "Length of a burst that the log has room for, 1 to 1536. Default: ${DEFAULT-VALUE}.")
  private String burst = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "4",
      description = "Seconds of each run of a full log, 1 to 600. Default: ${DEFAULT-VALUE}.")
  private String seconds = "";

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Runs of each full log, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private String rounds = "";

  @Mixin private final RecordOptions output = new RecordOptions();

  private final StopSignal stop;
  private final Measurements measured = new Measurements();

  /** Makes the command; a signal to stop ends it early. */
  public LogBenchCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException {
    OptionReader reader = reader();
    output.check(reader);
    int synced = (int) reader.wholeNumber("--writes", writes, 10, 1_000_000);
    long toCrash = reader.wholeNumber("--crashes", crashes, 0, 1_000_000_000);
    long from = reader.wholeNumber("--seed", seed, -OptionReader.MAX_SEED, OptionReader.MAX_SEED);
    long each = reader.wholeNumber("--seconds", seconds, 1, 600);
    int runs = (int) reader.wholeNumber("--rounds", rounds, 1, 1000);
    List<Long> lengths = reader.wholeNumbers("--logs", logs, 1, 1024);
    List<Long> sweep = reader.wholeNumbers("--batches", batches, 1, 1_000_000);
    int mebibytesOfBurst = (int) reader.wholeNumber("--burst", burst, 1, 1536);
    try (BenchLogs bench = new BenchLogs(logDirectory, reader.directory("--dir", directory))) {
      if (!BenchLogs.writesLinesBack()) {
        command()
            .getErr()
            .println("cache lines are not written back here, only fenced: appends look faster");
      }
      measureWrites(bench, synced, mebibytesOfBurst);
      measureFullLogs(bench, lengths, sweep, runs, TimeUnit.SECONDS.toNanos(each));
      if (goesOn(bench)) {
        double extra = bench.starts().extraMillis(STARTS_A_ROUND * runs);
        add("jvm_start_extra", Map.of(), extra, "ms");
      }
    }
    long crashed = 0;
    long lost = 0;
    for (Propagation propagation : Propagation.values()) {
      // Half of them for each; of an odd count, the second has one more.
      long count = propagation == Propagation.ON_WRITE ? toCrash / 2 : toCrash - toCrash / 2;
      CrashReport report =
          new CrashRun(from, PlantedFault.NONE, propagation).run(count, stop::isRequested);
      report.findings().forEach(err()::println);
      crashed += report.crashes();
      lost += report.lost() + report.resurrected();
    }
    Map<String, String> run = Map.of("seed", Long.toString(from));
    add("crashes", run, (double) crashed);
    add("lost", run, (double) lost);
    output.write(measured.records());
    return lost > 0 ? ExitCode.FAILED : stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  /** Returns whether there is a next figure; the disk is then as calm as at the beginning. */
  private boolean goesOn(BenchLogs bench) throws IOException {
    if (stop.isRequested()) {
      return false;
    }
    bench.settle();
    return true;
  }

  private void measureWrites(BenchLogs logs, int synced, int mebibytesOfBurst) throws IOException {
    WriteBench bench = new WriteBench(logs);
    Map<String, String> emulated =
        Map.of("medium", "emulated", "lines", BenchLogs.writesLinesBack() ? "flushed" : "fenced");
    String append = "append_ratio_to_persistent_copy";
    add(append, emulated, bench.appendRatio(Persistence.EMULATED));
    if (PmemLibraries.problem() == null) {
      add(append, PMDK, bench.appendRatio(Persistence.PMDK));
    }
    for (Propagation propagation : Propagation.values()) {
      if (goesOn(logs)) {
        Map<String, String> mode = mode(propagation.name());
        double speedup = bench.speedupOverForce(synced, propagation);
        add("write_speedup_over_force", mode, speedup);
        add("write_allocated", mode, bench.allocatedBytes(propagation), "B");
      }
    }
    if (goesOn(logs)) {
      Map<String, String> mode = mode(Propagation.ON_WRITE.name());
      double bound = bench.ratioToPlainWriteAndAppend();
      add("write_ratio_to_plain_write_and_append", mode, bound);
    }
    if (goesOn(logs)) {
      Map<String, String> mode = mode(Propagation.DEFERRED.name());
      add("drained_read_ratio_to_platform", mode, bench.drainedReadRatio());
    }
    if (goesOn(logs)) {
      add("recovery_seconds_per_gib", emulated, bench.recoverySecondsPerGib(), "s");
    }
    if (goesOn(logs)) {
      Map<String, String> length = Map.of("medium", "emulated", "burst", mebibytesOfBurst + " MiB");
      double speedup = bench.burstSpeedup(mebibytesOfBurst, synced);
      add("burst_speedup_over_force", length, speedup);
    }
  }

  private void measureFullLogs(
      BenchLogs logsAndFiles, List<Long> lengths, List<Long> sweep, int runs, long nanos)
      throws IOException {
    long least = Collections.min(lengths);
    long fileBytes = FILE_BY_LOG * (Collections.max(lengths) << 20);
    FullLogBench once = new FullLogBench(logsAndFiles, Order.ONCE, fileBytes, nanos);
    double first = 0;
    for (Map.Entry<Long, List<Taken>> one : run(logsAndFiles, once, lengths, runs).entrySet()) {
      Map<String, String> log = Map.of("medium", "emulated", "log", one.getKey() + " MiB");
      Taken taken = Taken.median(one.getValue());
      addDrained(log, taken, Taken.ratioToRawDrain(one.getValue()));
      double before = taken.writesPerSecondBefore() / taken.writesPerSecond();
      add("saturated_slowdown", log, before);
      first = first == 0 ? taken.writesPerSecond() : first;
      add("saturated_ratio_to_first_log", log, taken.writesPerSecond() / first);
    }
    long shortFileBytes = SHORT_FILE_BY_LOG * (least << 20);
    FullLogBench any = new FullLogBench(logsAndFiles, Order.ANY, shortFileBytes, nanos);
    for (Map.Entry<Long, List<Taken>> one : run(logsAndFiles, any, lengths, 1).entrySet()) {
      Map<String, String> log =
          Map.of("medium", "emulated", "log", one.getKey() + " MiB", "order", "any");
      addDrained(log, one.getValue().get(0), Taken.ratioToRawDrain(one.getValue()));
    }
    double largest = 0;
    for (long batch : sweep.stream().sorted(Comparator.reverseOrder()).toList()) {
      if (goesOn(logsAndFiles)) {
        double speed = once.run((int) least, (int) batch).writesPerSecond();
        largest = largest == 0 ? speed : largest;
        Map<String, String> labels =
            Map.of("medium", "emulated", "log", least + " MiB", "batch", Long.toString(batch));
        add("saturated_ratio_to_largest_batch", labels, speed / largest);
      }
    }
  }

  /** Returns the runs of each length, which take turns: the disk is not always as fast. */
  private Map<Long, List<Taken>> run(
      BenchLogs logsAndFiles, FullLogBench bench, List<Long> lengths, int runs) throws IOException {
    Map<Long, List<Taken>> all = new LinkedHashMap<>();
    for (int run = 0; run < runs; run++) {
      for (long length : lengths) {
        if (goesOn(logsAndFiles)) {
          Taken taken = bench.run((int) length, LogSettings.DEFAULT_BATCH_RECORDS);
          all.computeIfAbsent(length, l -> new ArrayList<>()).add(taken);
        }
      }
    }
    return all;
  }

  private void addDrained(Map<String, String> log, Taken taken, double ratio) {
    add("saturated_ratio_to_raw_drain", log, ratio);
    add("saturated_writes_per_block", log, taken.writesPerBlock());
  }

  private static Map<String, String> mode(String name) {
    return Map.of("medium", "emulated", "mode", name.toLowerCase(Locale.ROOT));
  }

  private void add(String metric, Map<String, String> labels, double value) {
    add(metric, labels, value, "");
  }

  /** Adds a measurement, and prints it at once. */
  private void add(String metric, Map<String, String> labels, double value, String unit) {
    measured.with(labels).add(metric, value, unit);
    PrintWriter out = out();
    String which =
        labels.entrySet().stream()
            .filter(label -> !label.getKey().equals("medium"))
            .map(Map.Entry::getValue)
            .sorted()
            .collect(Collectors.joining(" "));
    out.println(String.format(Locale.ROOT, "%-38s %-16s %.4g %s", metric, which, value, unit));
    out.flush();
  }
}
