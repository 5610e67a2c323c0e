// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.cli;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.ExitCode;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.cli.kit.OutputOptions;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.TextTable;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.WorkloadResult;
import io.nvcache.ycsb.YcsbBenchmark;
import io.nvcache.ycsb.YcsbSettings;
import io.nvcache.ycsb.report.Notes;
import io.nvcache.ycsb.report.Verdict;
import io.nvcache.ycsb.report.YcsbRecords;
import io.nvcache.ycsb.report.YcsbReport;
import io.nvcache.ycsb.report.YcsbTable;
import io.nvcache.ycsb.store.StoreOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code ycsb}: policies side by side on YCSB's workloads. */
@Command(
    name = "ycsb",
    customSynopsis = "nvcache ycsb [OPTION]...",
    description = {
      KnownCommand.YCSB_SUMMARY,
      "Every value read is checked. Ctrl-C ends the benchmark and reports what was measured."
    })
final class YcsbCommand extends Action {
  @Mixin private final ScenarioOptions scenario = new ScenarioOptions();

  @Mixin private final DataOptions data = new DataOptions();

  @Mixin private final CacheOptions cache = new CacheOptions();

  @Mixin private final RunOptions run = new RunOptions();

  @Mixin private final OutputOptions output = new OutputOptions();

  private final StopSignal stop;

  YcsbCommand(StopSignal stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionReader reader = reader();
    YcsbSettings settings = readSettings(reader);
    output.check(reader);
    Optional<BenchmarkResult> result = measure(settings);
    PrintWriter err = err();
    if (result.isEmpty()) {
      err.println("nvcache ycsb: stopped during the load; nothing was measured");
      err.flush();
      return ExitCode.INTERRUPTED;
    }
    print(result.get());
    BenchmarkResult measured = result.get();
    output.write(
        YcsbRecords.of(measured).records(), when -> YcsbReport.of(measured, asked(), when));
    return exitCode(result.get(), err);
  }

  private Optional<BenchmarkResult> measure(YcsbSettings settings)
      throws IOException, InterruptedException {
    try {
      return new YcsbBenchmark(settings, output.progress(err()), stop).run();
    } catch (OutOfMemoryError e) {
      throw new IOException(
          "out of memory: " + e.getMessage() + "; lower --capacity or --dram, or raise the JVM's",
          e);
    }
  }

  private YcsbSettings readSettings(OptionReader reader) {
    StoreOptions dataSettings = data.read(reader);
    Path directory = scenario.directory(reader);
    return new YcsbSettings(
        scenario.workloads(reader),
        scenario.policies(reader),
        scenario.distribution(reader),
        dataSettings,
        cache.read(reader, dataSettings, directory),
        run.read(reader),
        directory);
  }

  private void print(BenchmarkResult result) {
    PrintWriter out = out();
    TextTable table = new TextTable(Terminal.charset());
    for (WorkloadResult workload : result.workloads()) {
      out.println();
      out.println(table.draw(YcsbTable.of(result, workload)));
      Verdict.of(workload).forEach(line -> out.println(table.plain("  " + line)));
    }
    out.println();
    for (String sentence : Verdict.best(result)) {
      out.println(table.plain(TextTable.wrap(sentence)));
    }
    out.println();
    for (String note : Notes.of(result)) {
      out.println(table.plain(TextTable.wrap("* " + note)));
    }
    out.flush();
  }

  static int exitCode(BenchmarkResult result, PrintWriter err) {
    if (result.wrongValues() > 0 || result.failedOperations() > 0) {
      err.printf(
          "nvcache ycsb: %d wrong values, %d failed operations; the figures can't be trusted%n",
          result.wrongValues(), result.failedOperations());
      err.flush();
      return ExitCode.FAILED;
    }
    return result.interrupted() ? ExitCode.INTERRUPTED : 0;
  }
}
