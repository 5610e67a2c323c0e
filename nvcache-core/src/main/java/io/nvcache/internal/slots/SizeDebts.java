// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import java.util.Arrays;

/**
 * Tells sizes that have gone out of use: the policy names their blocks as victims, which are spared
 * since they make too little room, and no more of them come.
 *
 * <p>Sizes are grouped by doublings. A victim that is spared is a debt of its size, and a block
 * that comes pays for several times its length. While a size is in use, its debts are paid; when it
 * is not, they grow.
 *
 * <p><b>Locking.</b> Belongs to the {@link RunAllocator}'s lock.
 */
final class SizeDebts {
  /** A block makes up for so much of its size: of one in use, several are spared for each. */
  private static final int PAID_FOLD = 8;

  private final int limitGranules;

  /** By doubling, in granules. */
  private final long[] debts = new long[Integer.SIZE];

  /** Makes a book in which no size is in debt, where {@code limitGranules} is too much. */
  SizeDebts(int limitGranules) {
    this.limitGranules = limitGranules;
  }

  private static int doubling(int granules) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(granules);
  }

  /** Counts a spared victim of so many granules; returns whether its size owes too much now. */
  boolean spare(int granules) {
    int doubling = doubling(granules);
    debts[doubling] += granules;
    return debts[doubling] >= limitGranules;
  }

  /** A block of so many granules came. */
  void come(int granules) {
    int doubling = doubling(granules);
    debts[doubling] = Math.max(-limitGranules, debts[doubling] - (long) PAID_FOLD * granules);
  }

  /** Returns whether blocks of so many granules are in debt, be it little. */
  boolean isInDebt(int granules) {
    return debts[doubling(granules)] > 0;
  }

  /** Returns whether any size owes too much. */
  boolean isDue() {
    return Arrays.stream(debts).anyMatch(debt -> debt >= limitGranules);
  }

  /**
   * Has the sizes that owe too much pay, up to {@code most} granules together; returns how many.
   */
  int collect(int most) {
    int collected = 0;
    for (int i = 0; i < debts.length; i++) {
      if (debts[i] >= limitGranules) {
        int paid = (int) Math.min(debts[i], most - collected);
        debts[i] -= paid;
        collected += paid;
      }
    }
    return collected;
  }
}
