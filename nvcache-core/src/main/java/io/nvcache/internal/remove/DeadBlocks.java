// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The progress of the search for blocks of dropped files, which nothing lists.
 *
 * <p>A dropped block pays for the search of some dozens of slots, and each minute for a search of
 * the whole index. A large file is therefore reclaimed at once, and small ones together, within a
 * minute: what a file costs depends on its blocks, not on the length of the index. Until then less
 * than a sixtieth of the cache is dead. An index of a few thousand slots is searched each time.
 *
 * <p>Used by one thread at a time.
 */
final class DeadBlocks {
  private static final int SLOTS_PER_BLOCK = 64;

  /** Slots of each search by the cache's own thread; a caller's own round searches all. */
  static final int LEAST_SLOTS = 1 << 14;

  private static final long LAP_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final int slots;
  private final int leastSlots;
  private int hand;

  /** Slots that were paid for and not searched. */
  private double credit;

  private long known;
  private long lastScan;

  /** Searches the slots of a range, and reclaims dead blocks. */
  interface Search {
    void search(int from, int to);
  }

  /**
   * Begins at the first slot.
   *
   * @param leastSlots how many to search whenever anything is dead
   */
  DeadBlocks(int slots, int leastSlots, long now) {
    this.slots = slots;
    this.leastSlots = leastSlots;
    this.lastScan = now;
  }

  /**
   * Searches as many slots as were paid for.
   *
   * @param deadNow how many blocks in the index belong to dropped files
   * @param now in nanoseconds
   */
  void scan(LongSupplier deadNow, long now, Search search) {
    long dead = deadNow.getAsLong();
    long passed = now - lastScan;
    lastScan = now;
    if (dead == 0) {
      credit = 0;
      known = 0;
      return;
    }
    credit +=
        SLOTS_PER_BLOCK * (double) Math.max(0, dead - known)
            + (double) slots * Math.min(passed, LAP_NANOS) / LAP_NANOS;
    int length = (int) Math.min(slots, Math.max(credit, leastSlots));
    credit = Math.max(0, credit - length);
    int first = Math.min(length, slots - hand);
    search.search(hand, hand + first);
    search.search(0, length - first);
    hand = (int) ((hand + (long) length) % slots);
    known = deadNow.getAsLong();
  }
}
