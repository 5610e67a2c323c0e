// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds out where the least would be lost by emptying a window of so many granules: where most of
 * it is free, or is taken by blocks of sizes that have gone out of use. A window has nothing in it
 * that could not be evicted, such as a pinned block. Made for one round of draining, used by one
 * thread.
 */
final class DrainPlan {
  private final int window;

  /** What can't be emptied. */
  private final BitSet fixed;

  /** What would be no loss. */
  private final BitSet given;

  /** Where a block or a free run begins, or one has ended. */
  private final BitSet bounds;

  /** By word of {@link #given}: how many bits are set before it. Made when all is known. */
  private int @Nullable [] givenBefore;

  private long[] givenWords = {};

  /**
   * Takes everything for immovable.
   *
   * @param window how many granules are wanted in one piece
   */
  DrainPlan(int granules, int window) {
    this.window = window;
    this.fixed = new BitSet(granules);
    this.given = new BitSet(granules);
    this.bounds = new BitSet(granules + 1);
    fixed.set(0, granules);
  }

  /** These are free. */
  void free(int granule, int granules) {
    movable(granule, granules);
    given.set(granule, granule + granules);
  }

  /** These have a block that can be evicted. */
  void movable(int granule, int granules) {
    fixed.clear(granule, granule + granules);
    bounds.set(granule);
    bounds.set(granule + granules);
  }

  /** These have a block that can be evicted and is no loss. */
  void movableWithoutLoss(int granule, int granules) {
    free(granule, granules);
  }

  /** A window of an extent, with how many granules of blocks would be lost for it. */
  record Window(int from, int to, int lost) {}

  /** Has the window chosen, and out of the way of others. */
  void choose(Window window) {
    fixed.set(window.from, window.to);
  }

  /**
   * Returns the window of an extent that loses the least; null if it has none. Of all windows those
   * are looked at that begin or end where something that is no loss does, or the extent.
   */
  @Nullable Window best(int from, int to) {
    Window best = better(null, from, from, to);
    for (int edge = nextEdge(from); edge < to; edge = nextEdge(edge)) {
      best = better(best, edge, from, to);
      best = better(best, edge - window, from, to);
    }
    return better(best, to - window, from, to);
  }

  /** Returns the next granule that is given where the one before is not, or the other way round. */
  private int nextEdge(int granule) {
    int next = given.get(granule) ? given.nextClearBit(granule) : given.nextSetBit(granule);
    return next < 0 ? Integer.MAX_VALUE : next;
  }

  private @Nullable Window better(@Nullable Window best, int start, int from, int to) {
    if (start < from || start + window > to) {
      return best;
    }
    int first = bounds.get(start) ? start : Math.max(from, bounds.previousSetBit(start));
    int end = start + window;
    if (!bounds.get(end)) { // The block that the end cuts goes, too.
      int whole = bounds.nextSetBit(end);
      end = whole < 0 || whole > to ? to : whole;
    }
    int lost = end - first - (givenBelow(end) - givenBelow(first));
    if (best != null && lost >= best.lost) {
      return best;
    }
    int obstacle = fixed.nextSetBit(start);
    return obstacle >= 0 && obstacle < start + window
        ? best
        : new Window(start, start + window, lost);
  }

  private int givenBelow(int granule) {
    int[] before = givenBefore == null ? count() : givenBefore;
    int word = granule / Long.SIZE;
    if (word >= givenWords.length) {
      return before[givenWords.length];
    }
    long below = givenWords[word] & ((1L << granule) - 1);
    return before[word] + Long.bitCount(below);
  }

  private int[] count() {
    givenWords = given.toLongArray();
    int[] before = new int[givenWords.length + 1];
    for (int word = 0; word < givenWords.length; word++) {
      before[word + 1] = before[word] + Long.bitCount(givenWords[word]);
    }
    givenBefore = before;
    return before;
  }
}
