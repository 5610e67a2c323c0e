// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * The rounds of one policy on one workload, and medians over them.
 *
 * @param policy what was run
 * @param runs at least one
 */
public record PolicyResult(PolicyChoice policy, List<RunResult> runs) {
  private static final double NANOS_PER_MICRO = 1e3;

  /** Copies the list. */
  public PolicyResult {
    runs = List.copyOf(runs);
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("policy " + policy.label() + " has no runs");
    }
  }

  /** The median over the rounds of what the function takes from a run; NaN if no round has it. */
  public double median(ToDoubleFunction<RunResult> figure) {
    double[] known =
        runs.stream().mapToDouble(figure).filter(value -> !Double.isNaN(value)).sorted().toArray();
    if (known.length == 0) {
      return Double.NaN;
    }
    int middle = known.length / 2;
    return known.length % 2 == 1 ? known[middle] : (known[middle - 1] + known[middle]) / 2;
  }

  /** Operations per second. */
  public double throughput() {
    return median(RunResult::throughput);
  }

  /** How far the rounds lie apart: (fastest − slowest) / median; NaN with one round. */
  public double throughputSpread() {
    if (runs.size() == 1) {
      return Double.NaN;
    }
    var all = runs.stream().mapToDouble(RunResult::throughput).summaryStatistics();
    return (all.getMax() - all.getMin()) / throughput();
  }

  /** Throughput by that of a baseline in the same round; NaN if they share no round. */
  public double throughputRatio(PolicyResult baseline) {
    return median(
        run ->
            baseline.runs.stream()
                .filter(other -> other.round() == run.round())
                .mapToDouble(other -> run.throughput() / other.throughput())
                .findFirst()
                .orElse(Double.NaN));
  }

  /** Latency of an operation over all rounds; NaN if it did not occur. */
  public double latencyMicros(Operation operation, double percentile) {
    Histogram all = new Histogram(3);
    runs.stream()
        .map(run -> run.latencies().get(operation))
        .filter(Objects::nonNull)
        .forEach(all::add);
    return all.getTotalCount() == 0
        ? Double.NaN
        : all.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
  }

  /** Whether one of the runs was cut short. */
  public boolean interrupted() {
    return runs.stream().anyMatch(RunResult::interrupted);
  }
}
