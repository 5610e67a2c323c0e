// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Draws ranks by Zipf's law: rank 0 is the most popular. */
public final class ZipfRanks {
  /** By rank: how often it or a lower one is drawn, in parts of the last. */
  private final double[] cumulated;

  public ZipfRanks(int ranks, double exponent) {
    cumulated = new double[ranks];
    double sum = 0;
    for (int rank = 0; rank < ranks; rank++) {
      sum += Math.pow(rank + 1, -exponent);
      cumulated[rank] = sum;
    }
  }

  /** Returns the next rank. */
  public int draw(RandomGenerator random) {
    int last = cumulated.length - 1;
    int at = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated[last]);
    return Math.min(at < 0 ? -at - 1 : at, last);
  }
}
