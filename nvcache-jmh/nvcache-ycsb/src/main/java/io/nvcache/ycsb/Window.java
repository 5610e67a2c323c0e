// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.Map;

/**
 * One of the equal parts of what was measured of a policy: some rounds in a row.
 *
 * @param number from 1
 * @param counters of this window
 * @param mediumBytesWritten from the run's begin to the end of this window
 * @param micros latencies in this window by operation and percentile, in microseconds
 */
public record Window(
    int number,
    Counters counters,
    long mediumBytesWritten,
    Map<StoreCall, Map<Double, Double>> micros) {
  /** Copies the map. */
  public Window {
    micros = Map.copyOf(micros);
  }

  /** Latency of an operation, in microseconds; NaN if it did not occur. */
  public double latencyMicros(StoreCall operation, double percentile) {
    return micros.getOrDefault(operation, Map.of()).getOrDefault(percentile, Double.NaN);
  }
}
