// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One run of one policy on one workload.
 *
 * @param policy what was run
 * @param round from 1
 * @param warmUpSeconds length of the part that was not measured
 * @param seconds length of the measured part
 * @param counters of the measured part
 * @param latencies of the measured part, in nanoseconds, by operation
 * @param samples curves of the whole run
 * @param verifiedReads rows checked in the whole run
 * @param wrongValues values among them that were not what was written
 * @param failedOperations calls of the whole run that the store failed
 * @param interrupted whether the run was cut short
 */
public record RunResult(
    PolicyChoice policy,
    int round,
    double warmUpSeconds,
    double seconds,
    Counters counters,
    Map<Operation, Histogram> latencies,
    List<Sample> samples,
    long verifiedReads,
    long wrongValues,
    long failedOperations,
    boolean interrupted) {

  /** Copies the collections. */
  public RunResult {
    latencies = Map.copyOf(latencies);
    samples = List.copyOf(samples);
  }

  /** Operations per second. */
  public double throughput() {
    return counters.operations() / seconds;
  }
}
