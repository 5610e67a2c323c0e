// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * An endless walk over keys drawn beforehand: a random number generator inside a measured loop
 * would be measured too. Not thread-safe; threads take a {@link #startingAt} each.
 */
public final class KeyWalk {
  private final int[] keys;
  private int at;

  private KeyWalk(int[] keys, int at) {
    this.keys = keys;
    this.at = at;
  }

  /** Each of the keys once a round, in random order. */
  public static KeyWalk uniform(int[] keys, long seed) {
    return new KeyWalk(shuffled(keys, new SplittableRandom(seed)), 0);
  }

  /**
   * The keys by chance, the i-th most popular with a probability proportional to {@code
   * i^-exponent}. Which keys are popular is left to chance too.
   *
   * @param length keys in a round
   */
  public static KeyWalk zipfian(int[] keys, double exponent, int length, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] byRank = shuffled(keys, random);
    int count = keys.length;
    double[] cumulated = new double[count];
    double sum = 0;
    for (int rank = 0; rank < count; rank++) {
      sum += Math.pow(rank + 1.0, -exponent);
      cumulated[rank] = sum;
    }
    int[] drawn = new int[length];
    for (int i = 0; i < length; i++) {
      int found = Arrays.binarySearch(cumulated, random.nextDouble() * sum);
      drawn[i] = byRank[Math.min(count - 1, found < 0 ? -found - 1 : found)];
    }
    return new KeyWalk(drawn, 0);
  }

  private static int[] shuffled(int[] keys, SplittableRandom random) {
    int[] shuffled = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      int j = random.nextInt(i + 1);
      shuffled[i] = shuffled[j];
      shuffled[j] = keys[i];
    }
    return shuffled;
  }

  /** A walk over the same keys that starts at a part of the round, 0 ≤ {@code part} < 1. */
  public KeyWalk startingAt(double part) {
    return new KeyWalk(keys, (int) (part * keys.length));
  }

  /** Keys in a round. */
  int length() {
    return keys.length;
  }

  /** The next key. */
  public int next() {
    int key = keys[at];
    at = at + 1 == keys.length ? 0 : at + 1;
    return key;
  }
}
