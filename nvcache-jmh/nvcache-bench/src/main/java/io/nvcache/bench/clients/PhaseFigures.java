// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.util.Map;

/**
 * What was measured of one engine under one load in one phase.
 *
 * @param readsPerSecond of all threads of the load generator
 * @param micros latencies by percentile; of PerformanceEvaluation the mean of its threads'
 * @param servedP99Micros the 99th percentile of the reads that waited for no store file; not a
 *     number where that can't be told
 * @param hitRatio the part of the rows that were read without a store file
 * @param writtenBytes to the second level
 * @param heapBytes used at the end of the phase
 * @param collectionMillis that the garbage collector took of it
 */
public record PhaseFigures(
    ClientsEngine engine,
    ClientsLoad load,
    ClientsPhase phase,
    double readsPerSecond,
    Map<String, Double> micros,
    double servedP99Micros,
    double hitRatio,
    long writtenBytes,
    long heapBytes,
    long collectionMillis) {
  /** Makes figures with a copy of the map. */
  public PhaseFigures {
    micros = Map.copyOf(micros);
  }

  /** Returns the latency at a percentile, not a number where it was not measured. */
  double microsAt(String percentile) {
    return micros.getOrDefault(percentile, Double.NaN);
  }
}
