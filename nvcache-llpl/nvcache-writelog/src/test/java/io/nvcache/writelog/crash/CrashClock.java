// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import java.util.SplittableRandom;

/**
 * Counts the steps of an emulated machine, and ends it at one of them. At any step it may first run
 * other work, as other threads would. Not thread-safe: the machine has one thread.
 */
final class CrashClock {
  private static final int OTHERS_ONE_IN = 24;

  private final SplittableRandom random;
  private Runnable others = () -> {};
  private long steps;
  private long crashAt = Long.MAX_VALUE;
  private int depth;
  private boolean down;
  private long millis = 1_000_000;

  CrashClock(SplittableRandom random) {
    this.random = random;
  }

  /** Sets what may run at any step. */
  void onStep(Runnable work) {
    others = work;
  }

  /** Begins a life, which ends after some steps. */
  void boot(long stepsToLive) {
    down = false;
    depth = 0;
    crashAt = steps + stepsToLive;
  }

  /** Ends the life here. */
  void powerOff() {
    down = true;
    depth = 0;
  }

  long millis() {
    return millis;
  }

  /** Returns how many pieces of work are inside each other. */
  int depth() {
    return depth;
  }

  /** Something happened that a crash may come before. */
  void step() {
    if (down) {
      throw new Crash();
    }
    if (++steps % 16 == 0) {
      millis++;
    }
    if (steps >= crashAt) {
      down = true;
      throw new Crash();
    }
    if (depth < 3 && random.nextInt(OTHERS_ONE_IN) == 0) {
      depth++;
      try {
        others.run();
      } finally {
        depth--;
      }
    }
  }
}
