// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import java.util.SplittableRandom;

/**
 * A hash that only its owner knows: two rounds of folding and multiplying and a last fold, as
 * MurmurHash3 and Stafford's variants end with, whose constants are drawn from a seed. With
 * constants that are the same in every process, keys that meet in one bucket could be computed
 * beforehand, and a user who chooses file names or offsets could slow a cache down.
 *
 * <p>No two keys have the same hash, which therefore can represent its key: {@link #keyOf} takes it
 * back. The hash of 0 is 0.
 */
final class IndexHash {
  private static final int LEAST_BITS = 24;

  private static final int FIRST_SHIFT = 30;
  private static final int SECOND_SHIFT = 27;
  private static final int LAST_SHIFT = 31;

  private final long mask;
  private final long first;
  private final long second;
  private final long firstInverse;
  private final long secondInverse;

  /** What 0 would be without it. */
  private final long mixedZero;

  IndexHash(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    this.mask = random.nextLong();
    this.first = multiplier(random);
    this.second = multiplier(random);
    this.firstInverse = inverse(first);
    this.secondInverse = inverse(second);
    this.mixedZero = mix(0);
  }

  /**
   * Odd, or the product would forget bits; with about as many ones as zeros, or it would not mix.
   */
  private static long multiplier(SplittableRandom random) {
    while (true) {
      long multiplier = random.nextLong() | 1;
      int ones = Long.bitCount(multiplier);
      int changes = Long.bitCount(multiplier ^ (multiplier >>> 1));
      if (ones >= LEAST_BITS && ones <= Long.SIZE - LEAST_BITS && changes >= LEAST_BITS) {
        return multiplier;
      }
    }
  }

  /**
   * Newton's method: an odd number is its own inverse in three bits, and each step doubles them.
   */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  /** All 64 bits of the key's hash; no two keys have the same. */
  long of(long key) {
    return mix(key) ^ mixedZero;
  }

  private long mix(long key) {
    long h = key ^ mask;
    h = (h ^ (h >>> FIRST_SHIFT)) * first;
    h = (h ^ (h >>> SECOND_SHIFT)) * second;
    return h ^ (h >>> LAST_SHIFT);
  }

  /** Returns the key whose hash this is. */
  long keyOf(long hash) {
    long h = unfolded(hash ^ mixedZero, LAST_SHIFT) * secondInverse;
    h = unfolded(h, SECOND_SHIFT) * firstInverse;
    return unfolded(h, FIRST_SHIFT) ^ mask;
  }

  /**
   * Returns what gives the word when it is folded by {@code shift}, which is a quarter of it at
   * least.
   */
  private static long unfolded(long word, int shift) {
    long twice = word ^ (word >>> shift);
    return twice ^ (twice >>> (2 * shift));
  }
}
