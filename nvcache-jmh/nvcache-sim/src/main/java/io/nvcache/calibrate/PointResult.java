// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.calibrate.Bench.Throughput;
import java.util.List;

/**
 * What was measured at one point.
 *
 * @param point the threads
 * @param reads bytes per second of all readers
 * @param writes bytes per second of all writers
 * @param readP99Nanos 99 of 100 reads of a block took no longer, mean over the rounds; NaN where
 *     that was not measured
 */
public record PointResult(Point point, Estimate reads, Estimate writes, double readP99Nanos) {
  /** Creates one whose reads were not timed one by one. */
  PointResult(Point point, Estimate reads, Estimate writes) {
    this(point, reads, writes, Double.NaN);
  }

  static PointResult of(Point point, List<Throughput> rounds) {
    return new PointResult(
        point,
        Estimate.of(rounds.stream().mapToDouble(Throughput::readBytesPerSecond).toArray()),
        Estimate.of(rounds.stream().mapToDouble(Throughput::writeBytesPerSecond).toArray()),
        rounds.stream().mapToDouble(Throughput::readP99Nanos).average().orElse(Double.NaN));
  }
}
