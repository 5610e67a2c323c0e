// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters in stripes, so that threads that count at once seldom write the same cache line.
 *
 * <p><b>Assumptions.</b> A thread asks for its {@link #stripe} once per call of the cache and
 * passes it to every count in that call. <b>Guarantees.</b> No count is lost; {@link #sum} over a
 * counter that only grows never decreases; counting allocates nothing and takes no lock.
 *
 * <p>A stripe's counters lie together, on the heap, so that they may be read after the cache is
 * closed:
 *
 * <pre>
 *   | pad 128 B | stripe 0: LOOKUPS HITS MISSES ... | stripe 1: ... | ... | pad 128 B |
 *               | a multiple of 128 B               |
 * </pre>
 */
public final class StripedCounters {
  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int PAD = 128 / Long.BYTES;
  private static final int STRIPE_CELLS = (Counter.values().length + PAD - 1) / PAD * PAD;

  private final long[] cells;
  private final int mask;

  /**
   * Makes counters with at least as many stripes as the machine has processors, and no more than
   * 256.
   */
  public StripedCounters() {
    this(Math.min(256, 2 * Runtime.getRuntime().availableProcessors()));
  }

  StripedCounters(int minimumStripes) {
    int stripes = Integer.highestOneBit(Math.max(1, 2 * minimumStripes - 1));
    this.mask = stripes - 1;
    this.cells = new long[2 * PAD + stripes * STRIPE_CELLS];
  }

  /** The calling thread's stripe. Threads started one after another get different ones. */
  public int stripe() {
    return (int) Thread.currentThread().getId() & mask;
  }

  /** How many stripes there are. */
  public int stripes() {
    return mask + 1;
  }

  /** Adds to a counter of a stripe; a full fence, as all volatile read-modify-writes are. */
  public void add(int stripe, Counter counter, long delta) {
    CELLS.getAndAdd(cells, cell(stripe, counter), delta);
  }

  /** One stripe's part of a counter. */
  public long get(int stripe, Counter counter) {
    return (long) CELLS.getVolatile(cells, cell(stripe, counter));
  }

  /** The counter over all stripes. */
  public long sum(Counter counter) {
    long sum = 0;
    for (int stripe = 0; stripe <= mask; stripe++) {
      sum += get(stripe, counter);
    }
    return sum;
  }

  @SuppressWarnings("EnumOrdinal") // Cells live no longer than the process; any order will do.
  private static int cell(int stripe, Counter counter) {
    return PAD + stripe * STRIPE_CELLS + counter.ordinal();
  }
}
