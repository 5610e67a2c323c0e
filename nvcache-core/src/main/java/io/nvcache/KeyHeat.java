// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Counts how often each of the hottest keys of a store was looked up recently, so that a {@link
 * Rewrite} can tell which of its outputs they go to. A block cache sees blocks only: where hot keys
 * lie far from each other, a hot block is mostly cold, and a compaction spreads it over several
 * outputs of which one gets the hot key.
 *
 * <p>Keys are known by a hash of 64 bits; two with the same one count as one. A group of eight
 * counters holds the hottest keys of those that hash to it: a key that has none takes from the
 * lowest one, and gets it when it is at 0 (after J. Misra and D. Gries, "Finding Repeated
 * Elements", Science of Computer Programming 1982). So a key that was looked up once in a while has
 * a count of 0, and what is looked up most has nearly its own. Groups are halved with the lookups,
 * each about once in {@value #CAPACITIES_PER_HALVING} capacities.
 *
 * <p>Takes 16 bytes of heap for each block that the cache is expected to hold, 16 MiB at most: the
 * hottest keys are in it then, whatever the capacity.
 *
 * <p><b>Threads.</b> All methods may be called at any time. There is no lock and no counter that
 * threads share, but the counters of the keys; a lookup may be lost to a race.
 */
public final class KeyHeat {
  private static final int MAX_COUNT = 255;
  private static final int GROUP = 8;
  private static final int COUNTERS_PER_BLOCK = 4;
  private static final int MOST_GROUPS = 1 << 19;
  private static final int CAPACITIES_PER_HALVING = 8;

  /** Which key a counter is of: some bits of its hash, above the count. */
  private static final int KEY = ~MAX_COUNT;

  private final int[] counters;
  private final int groups;
  private final LongSupplier random;

  /** A lookup halves a group if what it draws, without a sign, is below. */
  private final long halvingDraws;

  /**
   * Makes the counters, all at 0.
   *
   * @param capacityBlocks how many blocks the cache is expected to hold, ≥ 1
   * @throws IllegalArgumentException if {@code capacityBlocks} is below 1
   */
  public KeyHeat(long capacityBlocks) {
    this(capacityBlocks, () -> ThreadLocalRandom.current().nextLong());
  }

  KeyHeat(long capacityBlocks, LongSupplier random) {
    if (capacityBlocks < 1) {
      throw new IllegalArgumentException(
          "capacityBlocks is " + capacityBlocks + "; a cache holds at least 1 block");
    }
    this.groups =
        (int) Math.max(1, Math.min(MOST_GROUPS, capacityBlocks / (GROUP / COUNTERS_PER_BLOCK)));
    this.counters = new int[groups * GROUP];
    this.random = random;
    double lookupsPerHalving = (double) CAPACITIES_PER_HALVING * capacityBlocks / groups;
    this.halvingDraws = (long) (Long.MAX_VALUE / lookupsPerHalving);
  }

  /** Counts a lookup of a key, whether it is in the store or not. */
  public void lookedUp(long keyHash) {
    count(keyHash);
    long draw = random.getAsLong();
    if ((draw & Long.MAX_VALUE) < halvingDraws) {
      halve(group(draw * 0x9e3779b97f4a7c15L));
    }
  }

  private void count(long keyHash) {
    int first = group(keyHash);
    int key = (int) keyHash & KEY;
    int lowest = first;
    int lowestCount = MAX_COUNT;
    for (int i = first; i < first + GROUP; i++) {
      int counter = counters[i];
      int count = counter & MAX_COUNT;
      if (count > 0 && (counter & KEY) == key) {
        if (count < MAX_COUNT) {
          counters[i] = counter + 1;
        }
        return;
      }
      if (count < lowestCount) {
        lowest = i;
        lowestCount = count;
      }
    }
    counters[lowest] = lowestCount == 0 ? key | 1 : counters[lowest] - 1;
  }

  /** Returns the recent lookups of a key as far as they are known; 0 for most keys. */
  public int recentLookups(long keyHash) {
    int first = group(keyHash);
    int key = (int) keyHash & KEY;
    for (int i = first; i < first + GROUP; i++) {
      int counter = counters[i];
      if ((counter & KEY) == key && (counter & MAX_COUNT) > 0) {
        return counter & MAX_COUNT;
      }
    }
    return 0;
  }

  private void halve(int first) {
    for (int i = first; i < first + GROUP; i++) {
      int counter = counters[i];
      counters[i] = (counter & KEY) | ((counter & MAX_COUNT) >> 1);
    }
  }

  /** Returns the first counter of a key's group. */
  private int group(long hash) {
    return (int) Math.multiplyHigh(hash >>> 1, 2L * groups) * GROUP;
  }
}
