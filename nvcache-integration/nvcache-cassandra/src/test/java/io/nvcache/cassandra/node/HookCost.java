// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmark in this JVM's likeness, agent included, and prints a line for each way. */
public final class HookCost {
  private HookCost() {}

  /** Prints lines of {@code COST way nanoseconds}, of processor time per read. */
  public static void main(String[] arguments) throws Exception {
    OptionsBuilder options = new OptionsBuilder();
    options
        .include(HookBenchmark.class.getName())
        .forks(2)
        .warmupIterations(5)
        .warmupTime(TimeValue.milliseconds(500))
        .measurementIterations(5)
        .measurementTime(TimeValue.milliseconds(500))
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
    for (RunResult run : new Runner(options.build()).run()) {
      System.out.printf(
          Locale.ROOT,
          "COST %s %.1f%n",
          run.getParams().getParam("way"),
          sum(run, "cpuNanos") / sum(run, "reads"));
    }
    // Cassandra's classes have started threads that would go on.
    System.exit(0);
  }

  private static double sum(RunResult run, String count) {
    return run.getSecondaryResults().get(count).getScore();
  }
}
