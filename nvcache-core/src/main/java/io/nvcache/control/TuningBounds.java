// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.time.Duration;
import java.util.Objects;

/**
 * The range in which tuning may move the overhead target.
 *
 * @param leastTarget the lowest, as a ratio, 0.001 to 10
 * @param mostTarget the highest, as a ratio, above the lowest and at most 10
 * @param missCost what a miss costs beyond a hit: mostly the read of the disk; 1 µs to 1 s
 */
public record TuningBounds(double leastTarget, double mostTarget, Duration missCost) {
  private static final double LEAST = 0.001;
  private static final double MOST = 10;
  private static final Duration SHORTEST = Duration.ofNanos(1_000);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if they are out of range; names the value and the range
   */
  public TuningBounds {
    Objects.requireNonNull(missCost, "missCost");
    if (!(leastTarget >= LEAST && leastTarget < mostTarget && mostTarget <= MOST)) {
      throw new IllegalArgumentException(
          "the bounds of the overhead target are "
              + leastTarget
              + " and "
              + mostTarget
              + "; they must ascend, between "
              + LEAST
              + " and "
              + MOST);
    }
    if (missCost.compareTo(SHORTEST) < 0 || missCost.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "missCost is " + missCost + "; it must be between 1 microsecond and 1 second");
    }
  }
}
