// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import java.util.List;

/**
 * What was measured at one point.
 *
 * @param point the threads
 * @param reads bytes per second of all readers
 * @param writes bytes per second of all writers
 */
public record PointResult(Point point, Estimate reads, Estimate writes) {
  static PointResult of(Point point, List<Throughput> rounds) {
    return new PointResult(
        point,
        Estimate.of(rounds.stream().mapToDouble(Throughput::readBytesPerSecond).toArray()),
        Estimate.of(rounds.stream().mapToDouble(Throughput::writeBytesPerSecond).toArray()));
  }
}
