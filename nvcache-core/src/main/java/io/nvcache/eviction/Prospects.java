// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import java.util.Arrays;

/**
 * Finds out which blocks make the better victims: those that were looked up the least, or those
 * that were not looked up for the longest. A few that either rule would evict are watched for two
 * capacities of lookups, or until they are hit or go. What counts is how often they are hit for the
 * time that they are watched; they need not be evicted, and their names need not be remembered.
 *
 * <p>As LeCaR does (G. Vietri et al., HotStorage 2018), with blocks that are still there instead of
 * blocks that are gone: the cache learns of a hit by the block's mark, at no cost to the hit.
 *
 * <p><b>Guarantees.</b> Fixed memory, about 20 bytes a place. All changes are made under the
 * object's lock; whether a slot is watched is first asked without it.
 */
final class Prospects {
  /** The rules. */
  static final int LEAST_USED = 0;

  static final int OLDEST = 1;

  private static final int PLACES = 512;
  private static final int MOST_WATCHED = 200;
  private static final int LEAST_WATCHED = 16;
  private static final int BLOCKS_PER_WATCHED = 64;
  private static final int POLLED_AT_ONCE = 8;
  private static final int FREE = -1;
  static final int CAPACITIES_WATCHED = 2;

  /** The most blocks watched to the end that each rule's forecast is from. */
  private static final double MEMORY = 128;

  /** And how many are taken for granted at first, with a hit for every other one. */
  private static final double FIRST = 4;

  private static final double FIRST_HITS = 0.5;

  /** How much better the oldest have to be. */
  private static final double TIMES_BETTER = 2;

  private static final double BETTER_BY = 0.2;

  private final int[] slots = new int[PLACES];
  private final byte[] rules = new byte[PLACES];
  private final long[] ends = new long[PLACES];
  private final long[] lookedAt = new long[PLACES];
  private final int[] watched = new int[2];
  private final double[] hits = {FIRST * FIRST_HITS, FIRST * FIRST_HITS};

  /** The time for which blocks were watched, in two capacities of lookups. */
  private final double[] time = {FIRST, FIRST};

  private int hand;
  private volatile boolean oldestIsBetter;
  private volatile double forecast = FIRST_HITS;

  Prospects() {
    Arrays.fill(slots, FREE);
  }

  /** Tells by its mark whether a slot was hit since it is watched. */
  interface Marks {
    boolean wasHit(int slot);
  }

  /** Returns whether the blocks that were not looked up for the longest are the better victims. */
  boolean oldestIsBetter() {
    return oldestIsBetter;
  }

  /** Returns how often a victim is looked up in two capacities of lookups, had it stayed. */
  double forecast() {
    return forecast;
  }

  /** Returns whether another slot may be watched for a rule. */
  synchronized boolean wants(int rule, int slot, int blocks) {
    int most = Math.max(LEAST_WATCHED, Math.min(MOST_WATCHED, blocks / BLOCKS_PER_WATCHED));
    return watched[rule] < most && slots[place(slot)] == FREE;
  }

  synchronized void watch(int rule, int slot, long now, int blocks) {
    int place = place(slot);
    if (slots[place] == FREE) {
      slots[place] = slot;
      rules[place] = (byte) rule;
      ends[place] = now + (long) CAPACITIES_WATCHED * blocks;
      lookedAt[place] = now;
      watched[rule]++;
    }
  }

  /** Forgets a slot that is emptied. */
  void removed(int slot) {
    int place = place(slot);
    if (slots[place] == slot) {
      forget(place, slot);
    }
  }

  private synchronized void forget(int place, int slot) {
    if (slots[place] == slot) {
      slots[place] = FREE;
      watched[rules[place]]--;
    }
  }

  /** Looks at some of those that are watched. */
  synchronized void poll(long now, int blocks, Marks marks) {
    double whole = (double) CAPACITIES_WATCHED * Math.max(1, blocks);
    for (int i = 0; i < POLLED_AT_ONCE; i++) {
      int place = hand++ & (PLACES - 1);
      int slot = slots[place];
      if (slot != FREE) {
        int rule = rules[place];
        time[rule] += Math.max(0, Math.min(now, ends[place]) - lookedAt[place]) / whole;
        lookedAt[place] = now;
        boolean hit = marks.wasHit(slot);
        hits[rule] += hit ? 1 : 0;
        if (time[rule] > MEMORY) {
          time[rule] /= 2;
          hits[rule] /= 2;
        }
        if (hit || now >= ends[place]) {
          forget(place, slot);
        }
      }
    }
    double leastUsed = hits[LEAST_USED] / time[LEAST_USED];
    double oldest = hits[OLDEST] / time[OLDEST];
    boolean better = TIMES_BETTER * oldest + BETTER_BY < leastUsed;
    oldestIsBetter = better;
    forecast = better ? oldest : leastUsed;
  }

  private static int place(int slot) {
    return slot & (PLACES - 1);
  }
}
