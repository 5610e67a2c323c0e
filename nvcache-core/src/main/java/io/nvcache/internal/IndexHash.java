// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.util.SplittableRandom;

/**
 * A hash that only its owner knows: two multiplications and a fold between them, whose constants
 * are drawn from a seed. With constants that are the same in every process, keys that meet in one
 * bucket could be computed beforehand, and whoever chooses file names or offsets could slow a cache
 * down.
 *
 * <p>The high bits of either half of a hash depend on all bits of the key, and so do the low bits
 * of the high half; those of the low half don't. No two keys have the same hash, which therefore
 * can stand for its key: {@link #keyOf} takes it back. The hash of 0 is 0.
 */
final class IndexHash {
  private static final int LEAST_BITS = 24;

  private final long first;
  private final long second;
  private final long firstInverse;
  private final long secondInverse;

  IndexHash(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    this.first = multiplier(random);
    this.second = multiplier(random);
    this.firstInverse = inverse(first);
    this.secondInverse = inverse(second);
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
    long h = folded(key) * first;
    return folded(h) * second;
  }

  /** The key whose hash this is. */
  long keyOf(long hash) {
    long h = folded(hash * secondInverse);
    return folded(h * firstInverse);
  }

  /** The high half laid over the low one; folded twice, a word is itself again. */
  private static long folded(long word) {
    return word ^ (word >>> Integer.SIZE);
  }
}
