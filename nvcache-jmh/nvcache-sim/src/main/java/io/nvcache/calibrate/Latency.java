// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import org.HdrHistogram.Histogram;

/**
 * How long small reads took next to so many writers.
 *
 * @param writers next to the one reader
 * @param medianNanos half of the reads took no longer
 * @param p99Nanos 99 of 100 reads took no longer
 */
public record Latency(int writers, double medianNanos, double p99Nanos) {
  private static final double MEDIAN = 50;
  private static final double P99 = 99;

  static Latency of(int writers, Histogram nanos) {
    return new Latency(
        writers, nanos.getValueAtPercentile(MEDIAN), nanos.getValueAtPercentile(P99));
  }
}
