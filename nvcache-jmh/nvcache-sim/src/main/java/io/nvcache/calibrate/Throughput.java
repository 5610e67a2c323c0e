// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

/**
 * What was moved in one slice of time.
 *
 * @param readBytesPerSecond of all readers together
 * @param writeBytesPerSecond of all writers together
 * @param readP99Nanos 99 of 100 reads of a block took no longer; NaN where that is not measured
 */
public record Throughput(
    double readBytesPerSecond, double writeBytesPerSecond, double readP99Nanos) {
  /** Creates one whose reads were not timed one by one. */
  Throughput(double readBytesPerSecond, double writeBytesPerSecond) {
    this(readBytesPerSecond, writeBytesPerSecond, Double.NaN);
  }
}
