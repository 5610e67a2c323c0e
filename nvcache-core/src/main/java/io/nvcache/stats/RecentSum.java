// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * A sum over stripes that is asked for all the time: how much it costs on the average does not
 * depend on how many threads have counted.
 *
 * <p>While few have, it is the sum. Later it is summed up again, by whichever thread asks, when
 * that has counted and asked as often as there are stripes since it did so last; threads without a
 * their own stripe, when they have asked as often. It lags behind by no more than what threads
 * count in that time, and never decreases.
 */
public final class RecentSum {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle KNOWN;

  /** Stripes that are summed up each time: they are as quickly read. */
  private static final int FEW_STRIPES = 8;

  /** The longs of a stripe: its count at its last sum, and how often it was asked for since. */
  private static final int STRIPE_LONGS = 16;

  static {
    try {
      KNOWN = MethodHandles.lookup().findVarHandle(RecentSum.class, "known", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final StripedCounters counters;
  private final Counter counter;
  private final LongSupplier sum;
  private final long[] marks;
  private volatile long known = Long.MIN_VALUE;

  /**
   * Makes a sum that is not known yet.
   *
   * @param counter that the sum grows with
   * @param sum sums up again
   */
  public RecentSum(StripedCounters counters, Counter counter, LongSupplier sum) {
    this.counters = counters;
    this.counter = counter;
    this.sum = sum;
    this.marks = new long[(counters.count() + 2) * STRIPE_LONGS]; // A line apart from others.
  }

  /** Returns the sum, or what it was lately. */
  public long get() {
    int stripes = counters.usedCount();
    if (stripes <= FEW_STRIPES) {
      return sum.getAsLong();
    }
    int stripe = counters.stripe();
    int mark = (counters.index(stripe) + 1) * STRIPE_LONGS;
    // Threads without their own stripe share marks, and what each of them counted is no mark.
    long counted = counters.owns(stripe) ? counters.get(stripe, counter) : 0;
    long asked = (long) LONGS.getOpaque(marks, mark + 1) + 1;
    LONGS.setOpaque(marks, mark + 1, asked);
    long since = counted - (long) LONGS.getOpaque(marks, mark);
    long last = known;
    if (since + asked < stripes && last != Long.MIN_VALUE) {
      return last;
    }
    LONGS.setOpaque(marks, mark, counted);
    LONGS.setOpaque(marks, mark + 1, 0L);
    return raise(sum.getAsLong());
  }

  private long raise(long to) {
    long last = known;
    while (last < to && !KNOWN.compareAndSet(this, last, to)) {
      last = known;
    }
    return Math.max(last, to);
  }
}
