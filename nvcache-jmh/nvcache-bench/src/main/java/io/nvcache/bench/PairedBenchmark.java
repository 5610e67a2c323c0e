// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.bench.report.PerformanceReport;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.report.HostMachine;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Compares NVCache and its peers with what memory itself allows. On a machine that does other
 * things too, times of separate runs differ more than caches do; so each sample is a pair, cache
 * and limit in turn in one JVM, and the result is their ratio.
 */
@Command(
    name = "bench",
    usageHelpWidth = 100,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares caches with the raw copy, touch or write of the same bytes, pair by pair.",
      "Takes 25 minutes at most by default. A ratio is the processor time of the cache divided by",
      "the limit's: median and quartiles; wall is the ratio of elapsed times, raw/raw the",
      "limit against itself, which is the noise of the machine, found the share of blocks that"
          + " were",
      "there: of hits, and of blocks after they were written."
    })
public final class PairedBenchmark implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private PlanOptions options = new PlanOptions();

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the records there.")
  private @Nullable Path json;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = {
        "Writes what was found there as Markdown, and its chart into images/ next to it.",
        "With --quick as well, though such figures mean little."
      })
  private @Nullable Path report;

  private final List<JsonRecords.Entry> records = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  /** Runs the command line. */
  public static void main(String[] arguments) {
    CommandLine command = new CommandLine(new PairedBenchmark());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    System.exit(command.execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter out = spec.commandLine().getOut();
    List<ForkPlan> plans;
    List<Jdk> jdks;
    long limitNanos;
    try {
      plans = options.plans();
      jdks = options.jdks();
      limitNanos = options.limitNanos();
    } catch (IllegalArgumentException e) {
      err.println("bench: " + e.getMessage());
      return USAGE;
    }
    if (!options.leftOut().isEmpty()) {
      err.println(
          "bench: left out, because they need sun.misc.Unsafe, which this JVM denies: "
              + String.join(", ", options.leftOut()));
    }
    RunProgress progress = new RunProgress(err, jdks, plans, limitNanos, System::nanoTime);
    for (Jdk jdk : jdks) {
      ForkRunner forks = new ForkRunner(jdk);
      for (ForkPlan plan : plans) {
        String what = progress.begin(jdk, plan);
        long nanos = progress.leftNanos();
        if (nanos == 0) {
          failures.add(what + " left out: the time of --minutes was over");
          continue;
        }
        String failure = forks.run(progress.paced(plan), nanos, records::add);
        writeRecords();
        if (failure != null) {
          failures.add(what + " failed: " + failure);
        }
      }
    }
    out.println("processor: " + HostMachine.describeHardware().get("Processor"));
    Terminal.print(out, ComparisonTable.of(Measurements.of(records)), List.of());
    failures.forEach(err::println);
    write();
    out.flush();
    err.flush();
    return failures.isEmpty() ? 0 : FAILED;
  }

  /** After each fork, so that a run that is stopped leaves what it has measured. */
  private void writeRecords() throws IOException {
    if (json != null) {
      JsonRecords.write(records, json);
    }
  }

  private void write() throws IOException {
    writeRecords();
    if (report != null) {
      List<String> given = spec.commandLine().getParseResult().originalArgs();
      new PerformanceReport(records, given, failures).write(report);
    }
  }
}
