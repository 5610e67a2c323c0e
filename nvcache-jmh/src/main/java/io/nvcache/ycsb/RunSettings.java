// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.time.Duration;

/**
 * How each policy is driven.
 *
 * @param threads clients, each of which waits for one operation before it starts the next
 * @param duration of one run, warm-up included; zero = until all operations are done
 * @param operations of one run, warm-up included; 0 = until the duration is over
 * @param warmUpShare the part of both that is not measured
 * @param rounds how often all policies are run
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

  boolean hasWarmUp() {
    return !warmUpDuration().isZero() || warmUpOperations() > 0;
  }

  Duration warmUpDuration() {
    return Duration.ofNanos(Math.round(duration.toNanos() * warmUpShare));
  }

  long warmUpOperations() {
    return Math.round(operations * warmUpShare);
  }

  /** The warm-up as a run of its own. Only if there is one. */
  RunSettings warmUpOnly() {
    return new RunSettings(threads, warmUpDuration(), warmUpOperations(), 0, 1, seed);
  }
}
