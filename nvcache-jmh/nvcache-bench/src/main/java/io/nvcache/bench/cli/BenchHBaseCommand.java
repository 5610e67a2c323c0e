// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.cli;

import io.nvcache.bench.hbase.HBaseBench;
import io.nvcache.bench.hbase.HBaseBenchReport;
import io.nvcache.bench.hbase.HBaseBenchSettings;
import io.nvcache.bench.hbase.HBaseEngine;
import io.nvcache.bench.hbase.HBaseScenario;
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
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench hbase}: second levels behind HBase's HFile reader. */
@Command(
    name = "hbase",
    customSynopsis = "nvcache bench hbase [OPTION]...",
    description = {
      "Reads HFiles through HBase's reader and its LRU cache, with BucketCache, with NVCache and"
          + " with nothing below, in turns.",
      "Processor time covers the whole process: caches that write in the background pay for it."
    })
final class BenchHBaseCommand extends Action {
  private static final long MIB = 1L << 20;

  @Option(
      names = "--engines",
      paramLabel = "LIST",
      description =
          "none, bucket-offheap, bucket-pmem, bucket-mmap, bucket-file, nvcache-native,"
              + " nvcache-native-copy, nvcache-mapped, nvcache-flash, nvcache-llpl. Default: all.")
  private @Nullable String engines;

  @Option(
      names = "--scenarios",
      paramLabel = "LIST",
      description =
          "fits, skewed40, scan, churn, mixed, compaction, reopen, prefetch. Default: the first"
              + " five. Unless engines are chosen, compaction compares bucket-offheap and"
              + " nvcache-native, and reopen and prefetch compare bucket-file, nvcache-native and"
              + " nvcache-flash.")
  private @Nullable String scenarios;

  @Option(
      names = "--capacity",
      paramLabel = "SIZE",
      defaultValue = "128MiB",
      description =
          "Size of each second level, 48MiB to 64GiB; the data is up to 8 times that. Default:"
              + " ${DEFAULT-VALUE}.")
  private String capacity = "";

  @Option(
      names = "--dram",
      paramLabel = "SIZE",
      defaultValue = "16MiB",
      description = "Size of HBase's LRU cache in front, 4MiB to 8GiB. Default: ${DEFAULT-VALUE}.")
  private String dram = "";

  @Option(
      names = "--block",
      paramLabel = "SIZE",
      defaultValue = "64KiB",
      description = "Size of a block, 4KiB to 256KiB. Default: ${DEFAULT-VALUE}.")
  private String block = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "Threads that read at once, 1 to 256. Default: ${DEFAULT-VALUE}.")
  private String threads = "";

  @Option(
      names = "--delay",
      paramLabel = "MILLISECONDS",
      defaultValue = "0",
      description =
          "By how much each read of a store file takes longer while it is measured, 0 to 1000."
              + " Default: ${DEFAULT-VALUE}.")
  private String delay = "";

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "What this process may use more once the caches are opened, its page cache included,"
              + " 64MiB to 1TiB; for Linux, as root. Default: no limit.")
  private @Nullable String memory;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "Turns of each engine in a scenario, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private String rounds = "";

  @Option(
      names = "--reads",
      paramLabel = "N",
      defaultValue = "4000",
      description = "Reads of a turn, 100 to 1000000. Default: ${DEFAULT-VALUE}.")
  private String reads = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the reads. Default: ${DEFAULT-VALUE}.")
  private String seed = "";

  @Option(
      names = "--directory",
      paramLabel = "DIRECTORY",
      description =
          "Where the caches' files go for the time of the run. Default: the system's temporary"
              + " directory.")
  private @Nullable Path directory;

  @Option(
      names = "--store-directory",
      paramLabel = "DIRECTORY",
      description =
          "Where the HFiles go for the time of the run, if elsewhere: on a tmpfs they take nothing"
              + " of the drive that the caches are on.")
  private @Nullable Path storeDirectory;

  @Mixin private final RecordOptions output = new RecordOptions();

  private final StopSignal stop;

  BenchHBaseCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException {
    OptionReader reader = reader();
    HBaseBenchSettings settings = settings(reader);
    output.check(reader);
    HBaseBench bench = new HBaseBench(settings, output.progress(err()), stop);
    Measurements measured = bench.run();
    HBaseBenchReport report = new HBaseBenchReport(settings, measured, bench.notes());
    Terminal.print(out(), report.tables(), report.notes());
    output.write(measured.records());
    if (bench.wrongValues() > 0) {
      throw new IllegalStateException(bench.wrongValues() + " reads gave wrong values");
    }
    return stop.isRequested() ? ExitCode.INTERRUPTED : 0;
  }

  private HBaseBenchSettings settings(OptionReader reader) {
    Path place = reader.directory("--directory", directory);
    List<HBaseScenario> chosen =
        scenarios == null
            ? HBaseScenario.IN_TURNS
            : reader.listOf("--scenarios", scenarios, HBaseScenario.values(), HBaseScenario::label);
    if (memory != null && !HBaseScenario.IN_TURNS.containsAll(chosen)) {
      throw reader.bad(
          "--memory", memory, "left out with the scenarios compaction, reopen and prefetch");
    }
    return new HBaseBenchSettings(
        reader.listOf("--engines", engines, HBaseEngine.values(), HBaseEngine::label),
        chosen,
        reader.size("--capacity", capacity, 48 * MIB, 64L << 30),
        reader.size("--dram", dram, 4 * MIB, 8L << 30),
        (int) reader.size("--block", block, 4 << 10, 256 << 10),
        (int) reader.wholeNumber("--threads", threads, 1, 256),
        Duration.ofMillis(reader.wholeNumber("--delay", delay, 0, 1000)),
        memory == null ? 0 : reader.size("--memory", memory, 64 * MIB, 1L << 40),
        (int) reader.wholeNumber("--rounds", rounds, 1, 1000),
        (int) reader.wholeNumber("--reads", reads, 100, 1_000_000),
        (int) reader.wholeNumber("--seed", seed, 0, Integer.MAX_VALUE),
        place,
        storeDirectory == null ? place : reader.directory("--store-directory", storeDirectory));
  }
}
