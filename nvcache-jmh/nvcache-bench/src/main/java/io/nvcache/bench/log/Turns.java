// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.log;

import java.io.IOException;
import java.util.Arrays;

/**
 * Times what is compared in turns, so that all meet the same moments of the machine. Each turn has
 * some calls in a row, as a program has them, and each call is timed by itself: what one leaves
 * undone must be done before its time ends, and is no gift to the next.
 */
final class Turns {
  /** What is timed. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  private Turns() {}

  /**
   * Returns the median time of each step in ns. As many turns as are timed go before, to compile
   * and to touch the memory.
   *
   * @param between done after each turn, and not timed
   */
  static double[] medians(int turns, int calls, Step between, Step... steps) throws IOException {
    long[][] nanos = new long[steps.length][turns * calls];
    for (int turn = 0; turn < 2 * turns; turn++) {
      int first = (turn % turns) * calls; // The first half is overwritten.
      for (int i = 0; i < steps.length; i++) {
        time(steps[i], nanos[i], first, first + calls);
        between.run();
      }
    }
    double[] medians = new double[steps.length];
    for (int i = 0; i < steps.length; i++) {
      Arrays.sort(nanos[i]);
      medians[i] = nanos[i][nanos[i].length / 2];
    }
    return medians;
  }

  private static void time(Step step, long[] nanos, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      long began = System.nanoTime();
      step.run();
      nanos[i] = System.nanoTime() - began;
    }
  }
}
