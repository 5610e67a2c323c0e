// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import java.time.Duration;

/**
 * How a calibration is run.
 *
 * @param maxReaders ≥ 1
 * @param maxWriters ≥ 1
 * @param blockBytes of one read or write
 * @param mediumBytes of each medium
 * @param duration of all measurements together
 * @param rounds that count, ≥ 2; one more warms up
 * @param maxReadLoss see {@link Recommendation#of}
 */
public record CalibrationSettings(
    int maxReaders,
    int maxWriters,
    int blockBytes,
    long mediumBytes,
    Duration duration,
    int rounds,
    double maxReadLoss) {
  /** Whether threads contend for processors, which looks as if they contended for the medium. */
  public boolean isCrowded() {
    return maxReaders + maxWriters > Runtime.getRuntime().availableProcessors();
  }
}
