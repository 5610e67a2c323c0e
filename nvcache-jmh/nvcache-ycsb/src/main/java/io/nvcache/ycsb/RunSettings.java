// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.time.Duration;

/**
 * How each policy is driven.
 *
 * @param threads clients, each of which waits for one operation before it starts the next
 * @param duration of a policy's run, warm-up included; zero = until all operations are done
 * @param operations of a policy's run, warm-up included; 0 = until the duration is over
 * @param warmUpShare the part of both that is not measured, rounded up to whole rounds
 * @param rounds turns that a run is divided into; policies take turns
 * @param seed of all random choices
 */
public record RunSettings(
    int threads, Duration duration, long operations, double warmUpShare, int rounds, long seed) {

  /** Checks that runs end. */
  public RunSettings {
    if (duration.isZero() && operations == 0) {
      throw new IllegalArgumentException("a run needs a duration or a number of operations");
    }
  }

  /** Rounds that are not measured; at least one is. */
  public int warmUpRounds() {
    return Math.min(rounds - 1, (int) Math.ceil(rounds * warmUpShare));
  }

  /** Length of a turn; zero = until its operations are done. */
  Duration turnDuration() {
    return duration.dividedBy(rounds);
  }

  /** Operations of a turn, at least one if runs are limited by them; 0 = no limit. */
  long turnOperations() {
    return operations == 0 ? 0 : Math.max(1, operations / rounds);
  }
}
