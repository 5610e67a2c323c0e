// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.util.Map;

/**
 * What was measured of one engine in one phase.
 *
 * @param readsPerSecond of all threads of the load generator
 * @param micros latencies by percentile, the mean of the threads'
 * @param hitRatio the part of the lookups of data blocks that found theirs, in either level
 * @param writtenBytes to the second level
 * @param heapBytes used at the end of the phase
 * @param collectionMillis that the garbage collector took of it
 */
public record PhaseFigures(
    ClientsEngine engine,
    ClientsPhase phase,
    double readsPerSecond,
    Map<String, Double> micros,
    double hitRatio,
    long writtenBytes,
    long heapBytes,
    long collectionMillis) {
  /** Makes figures with a copy of the map. */
  public PhaseFigures {
    micros = Map.copyOf(micros);
  }
}
