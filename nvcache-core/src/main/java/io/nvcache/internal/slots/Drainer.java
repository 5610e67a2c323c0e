// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which windows of a small medium are emptied: for the blocks that found no room and for
 * the sizes that have {@linkplain SizeDebts gone out of use}: those windows where the least is lost
 * ({@link DrainPlan}), and a small part of the medium at most each time.
 *
 * <p><b>Locking.</b> Belongs to the {@link RunAllocator}'s lock, except for {@link #isWanted},
 * {@link #show} and the questions about what is chosen.
 */
final class Drainer {
  /** Of the medium, what one round empties at most for blocks refused, if not one needs more. */
  private static final int PART = 64;

  /** The same of sizes that have gone out of use. */
  private static final int PART_IN_DEBT = 32;

  private static final int WINDOWS_PER_EXTENT = 8;

  /** Extents that are looked at in one round. */
  private static final int EXTENTS_PLANNED = 64;

  private final int granules;
  private final int granulesPerExtent;
  private final int extents;
  private final SizeDebts debts;

  // What blocks have found no room for since the last round.
  private int wantedGranules;
  private int longestWanted;

  private volatile boolean wanted;

  /** The granules that are being emptied, if any; not changed once it is here. */
  private volatile @Nullable BitSet chosen;

  /** The extent to look at first in the next round. */
  private int hand;

  Drainer(int granules, int granulesPerExtent) {
    this.granules = granules;
    this.granulesPerExtent = granulesPerExtent;
    this.extents = (granules + granulesPerExtent - 1) / granulesPerExtent;
    this.debts = new SizeDebts(Math.max(1, granules / PART));
  }

  /** A block of so many granules came in. */
  void blockCame(int length) {
    debts.come(length);
  }

  /** A victim was spared, since a block of {@code wantedLength} needs more than it leaves. */
  void victimSpared(int length, int wantedLength) {
    longestWanted = Math.max(longestWanted, wantedLength);
    wanted |= debts.spare(length);
  }

  /** A block of so many granules was refused. */
  void blockRefused(int length) {
    longestWanted = Math.max(longestWanted, length);
    wantedGranules = Math.min(granules, wantedGranules + length);
    wanted = true;
  }

  boolean isWanted() {
    return wanted;
  }

  /**
   * Makes a plan that knows what is free; null if nothing has to be emptied, be it because there is
   * room by now.
   */
  @Nullable DrainPlan plan(FreeRuns[] free) {
    wanted = false;
    for (FreeRuns extent : free) {
      if (extent.longest() >= longestWanted) {
        forgetWants();
        return null;
      }
    }
    if (wantedGranules == 0 && !debts.isDue()) {
      return null;
    }
    DrainPlan plan = new DrainPlan(granules, longestWanted);
    for (int number = 0; number < free.length; number++) {
      for (int i = 0; i < free[number].count(); i++) {
        plan.free(number * granulesPerExtent + free[number].start(i), free[number].length(i));
      }
    }
    return plan;
  }

  /** Shows the plan a block that could be evicted. */
  void show(DrainPlan plan, int granule, int length) {
    if (debts.isInDebt(length)) {
      plan.movableWithoutLoss(granule, length);
    } else {
      plan.movable(granule, length);
    }
  }

  /** Chooses windows by a plan that was shown all blocks; returns how many. */
  int choose(DrainPlan plan) {
    List<DrainPlan.Window> windows = windows(plan);
    windows.sort(Comparator.comparingInt(DrainPlan.Window::lost));
    int refused = Math.min(wantedGranules, granules / PART);
    int left = Math.max(refused, debts.collect(granules / PART_IN_DEBT));
    BitSet these = new BitSet();
    int count = 0;
    for (DrainPlan.Window window : windows) {
      these.set(window.from(), window.to());
      count++;
      left -= window.to() - window.from();
      if (left <= 0) {
        break;
      }
    }
    chosen = count == 0 ? null : these;
    forgetWants();
    return count;
  }

  private List<DrainPlan.Window> windows(DrainPlan plan) {
    List<DrainPlan.Window> found = new ArrayList<>();
    for (int i = 0; i < Math.min(extents, EXTENTS_PLANNED); i++) {
      int from = hand * granulesPerExtent;
      hand = hand + 1 == extents ? 0 : hand + 1;
      for (int n = 0; n < WINDOWS_PER_EXTENT; n++) {
        DrainPlan.Window window = plan.best(from, Math.min(granules, from + granulesPerExtent));
        if (window == null) {
          break;
        }
        plan.choose(window);
        found.add(window);
      }
    }
    return found;
  }

  private void forgetWants() {
    longestWanted = 0;
    wantedGranules = 0;
  }

  /** Returns whether one of these granules is being emptied. */
  boolean isChosen(int granule, int length) {
    BitSet now = chosen;
    if (now == null) {
      return false;
    }
    int next = now.nextSetBit(granule);
    return next >= 0 && next < granule + length;
  }

  /** Nothing is emptied any more. */
  void end() {
    chosen = null;
  }
}
