// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.report.JsonRecords;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
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
 * and limit in turn in one JVM, and what is told is the ratio.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Compares caches with the raw copy, touch or write of the same bytes, pair by pair.",
      "Takes about 10 minutes by default. A ratio is the processor time of the cache divided by",
      "that of the limit: median and quartiles; wall is the ratio of elapsed times, raw/raw the",
      "limit against itself, which is the noise of the machine, found the share of blocks that were",
      "there: of hits, and of the newest blocks after inserts."
    })
public final class PairedBenchmark implements Callable<Integer> {
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private PlanOptions options = new PlanOptions();

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the records there.")
  private @Nullable Path json;

  /** Runs the command line. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new PairedBenchmark()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter out = spec.commandLine().getOut();
    List<ForkPlan> plans;
    try {
      plans = options.plans();
    } catch (IllegalArgumentException e) {
      err.println("bench: " + e.getMessage());
      return USAGE;
    }
    ForkRunner forks = new ForkRunner();
    ComparisonTable table = new ComparisonTable();
    List<JsonRecords.Entry> records = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < plans.size(); i++) {
      ForkPlan plan = plans.get(i);
      err.println("[" + (i + 1) + "/" + plans.size() + "] " + describe(plan));
      err.flush();
      String failure =
          forks.run(
              plan,
              record -> {
                records.add(record);
                table.add(record);
              });
      if (failure != null) {
        failures.add(describe(plan) + " failed: " + failure);
      }
    }
    out.print(table);
    failures.forEach(err::println);
    if (json != null) {
      try (Writer file = Files.newBufferedWriter(json)) {
        JsonRecords.write(records, file);
      }
    }
    out.flush();
    err.flush();
    return failures.isEmpty() ? 0 : FAILED;
  }

  private static String describe(ForkPlan plan) {
    return switch (plan.task()) {
      case CELLS ->
          plan.kind().label()
              + ", "
              + plan.blocks()
              + " blocks of "
              + plan.blockBytes()
              + " bytes, "
              + plan.cells().size()
              + " cells";
      case MEMORY -> plan.kind().label() + ", memory of " + plan.blocks() + " blocks";
      case INDEX -> plan.kind().label() + ", chains of lookups in " + plan.blocks() + " entries";
    };
  }
}
