// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

/**
 * Something that takes one step after the other: it decides, is charged for what it decided, and
 * decides again when all charges are paid.
 */
public abstract class Activity {
  private static final int MAX_CHARGES = 64;

  private final Station[] stations = new Station[MAX_CHARGES];
  private final double[] amounts = new double[MAX_CHARGES];
  private int next;
  private int end;
  private boolean ended;

  /** Decides: charges itself, or {@linkplain #end ends}. */
  protected abstract void proceed();

  /** Adds a charge, to be paid after those before it. */
  public final void pay(Station station, double amount) {
    if (amount <= 0) {
      return;
    }
    if (end > next && stations[end - 1] == station) {
      amounts[end - 1] += amount; // One longer job in place of two.
      return;
    }
    stations[end] = station;
    amounts[end] = amount;
    end++;
  }

  /** Has no further step. */
  protected final void end() {
    ended = true;
  }

  /** Pays the next charge, or decides if there is none. */
  public final void resume() {
    while (next == end && !ended) {
      next = 0;
      end = 0;
      proceed();
    }
    if (next < end) {
      int now = next++;
      stations[now].enter(this, amounts[now]);
    }
  }
}
