// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.time.Duration;

/** The range of the settings that are times to wait: it is checked before they are converted. */
final class DurationRange {
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MOST = Duration.ofHours(1);

  private DurationRange() {}

  /**
   * Returns the duration.
   *
   * @throws IllegalArgumentException if it is out of the range; names it and the range
   */
  static Duration check(String name, Duration duration) {
    if (duration.compareTo(LEAST) < 0 || duration.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          name + " is " + duration + "; it must be between 1 ms and 1 h");
    }
    return duration;
  }
}
