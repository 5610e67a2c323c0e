// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * The turns of one policy on one workload and medium, and medians over them.
 *
 * @param policy what was run
 * @param warmUpSeconds length of the turns that were not measured
 * @param turns those that were, at least one
 * @param latencies of these, in nanoseconds, by operation
 * @param samples curves of the whole run
 * @param verifiedReads rows checked in the whole run
 * @param wrongValues values among them that were not what was written
 * @param failedOperations calls of the whole run that the store failed
 * @param interrupted whether turns are missing because the benchmark was cut short
 */
public record PolicyResult(
    PolicyChoice policy,
    double warmUpSeconds,
    List<Turn> turns,
    Map<StoreCall, Histogram> latencies,
    List<Sample> samples,
    long verifiedReads,
    long wrongValues,
    long failedOperations,
    boolean interrupted) {
  /** Percentiles that are reported of each latency. */
  public static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9);

  private static final double NANOS_PER_MICRO = 1e3;

  /** Copies the collections. */
  public PolicyResult {
    turns = List.copyOf(turns);
    latencies = Map.copyOf(latencies);
    samples = List.copyOf(samples);
    if (turns.isEmpty()) {
      throw new IllegalArgumentException("policy " + policy.label() + " has no turns");
    }
  }

  /** The median over the turns; NaN if no turn has the figure. */
  public double median(ToDoubleFunction<Turn> figure) {
    return PairedRatio.quantile(0.5, turns.stream().mapToDouble(figure).toArray());
  }

  /** What was counted in all turns. */
  public Counters counters() {
    return turns.stream().map(Turn::counters).reduce(Counters::plus).orElseThrow();
  }

  /** Length of all turns. */
  public double seconds() {
    return turns.stream().mapToDouble(Turn::seconds).sum();
  }

  /** Operations per second, by the clock. */
  public double throughput() {
    return median(Turn::throughput);
  }

  /** How far turns lie apart by the clock: their middle half, by the median. */
  public double throughputSpread() {
    double[] all = turns.stream().mapToDouble(Turn::throughput).toArray();
    return (PairedRatio.quantile(0.75, all) - PairedRatio.quantile(0.25, all)) / throughput();
  }

  /** Latency of an operation over all turns, by the clock; NaN if it did not occur. */
  public double latencyMicros(StoreCall operation, double percentile) {
    Histogram all = latencies.get(operation);
    return all == null || all.getTotalCount() == 0
        ? Double.NaN
        : all.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
  }

  /**
   * One point of a run's curves. Ratios are NaN where nothing was counted.
   *
   * @param seconds since the run began, warm-up included
   * @param throughput operations per second since the last sample
   * @param hitRatio of the second tier since the last sample
   * @param writesPerLookup medium writes per lookup since the run began
   */
  public record Sample(
      double seconds, double throughput, double hitRatio, double writesPerLookup) {}
}
