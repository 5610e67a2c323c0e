// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.util.SplittableRandom;

/**
 * A hash that only its owner knows: two rounds of multiplying and folding, as MurmurHash3 and
 * Stafford's variants end with, whose constants are drawn from a seed. With constants that are the
 * same in every process, keys that meet in one bucket could be computed beforehand, and whoever
 * chooses file names or offsets could slow a cache down.
 */
final class IndexHash {
  private static final int LEAST_BITS = 24;

  private final long mask;
  private final long first;
  private final long second;

  IndexHash(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    this.mask = random.nextLong();
    this.first = multiplier(random);
    this.second = multiplier(random);
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

  /** All 64 bits of the key's hash; no two keys have the same. */
  long of(long key) {
    long h = key ^ mask;
    h = (h ^ (h >>> 30)) * first;
    h = (h ^ (h >>> 27)) * second;
    return h ^ (h >>> 31);
  }
}
