// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * The times of hits, and of loads after a miss, measured on a sample of the blocks: one in {@value
 * #ONE_IN}. Whether a cache saves time follows from that, and from nothing that is said about the
 * drives.
 *
 * <p>A load begins when a lookup has missed, and ends when the block is offered as one that was
 * read: so it has all that a hit spares the store, such as waiting for a drive, checking and
 * unpacking. A block that is not offered is not counted.
 *
 * <p><b>Cost.</b> A multiplication and a comparison for each call; for a block in the sample, a hit
 * reads the clock twice. No lock, nothing allocated. Lossy: a miss may take the place of another
 * one.
 */
public final class LoadTimes {
  /** Returned by {@link #begin} for a lookup that is not timed. */
  public static final long NOT_TIMED = Long.MIN_VALUE;

  static final int ONE_IN = 64;

  private static final int PLACE_BITS = 8;
  private static final int SAMPLE_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(ONE_IN);

  private final StripedCounters counters;
  private final LongSupplier nanoTime;

  /** The block that was missed, as a hash, in each place; 0 for none. */
  private final AtomicLongArray missed = new AtomicLongArray(1 << PLACE_BITS);

  private final AtomicLongArray missedAt = new AtomicLongArray(1 << PLACE_BITS);

  public LoadTimes(StripedCounters counters, LongSupplier nanoTime) {
    this.counters = counters;
    this.nanoTime = nanoTime;
  }

  /** Returns whether a block is in the sample. */
  public static boolean has(long fileId, long offset) {
    return hash(fileId, offset) >>> SAMPLE_SHIFT == 0;
  }

  /** Returns when a lookup began, or {@link #NOT_TIMED}. */
  public long begin(long fileId, long offset) {
    return has(fileId, offset) ? nanoTime.getAsLong() : NOT_TIMED;
  }

  /** Notes that a lookup that is timed has found its block. */
  public void hit(long begun, int stripe) {
    counters.add(stripe, Counter.TIMED_HIT_NANOS, nanoTime.getAsLong() - begun);
    counters.add(stripe, Counter.TIMED_HITS, 1);
  }

  /** Notes that a lookup that is timed has not found its block, which its store loads next. */
  public void missed(long fileId, long offset) {
    long hash = hash(fileId, offset);
    int place = place(hash);
    missed.setOpaque(place, 0);
    missedAt.setOpaque(place, nanoTime.getAsLong());
    missed.setRelease(place, hash | 1);
  }

  /** Notes that a block is offered that was read. */
  public void loaded(long fileId, long offset) {
    long hash = hash(fileId, offset);
    if (hash >>> SAMPLE_SHIFT != 0) {
      return;
    }
    int place = place(hash);
    if (missed.getAcquire(place) == (hash | 1)) {
      long begun = missedAt.getOpaque(place);
      if (missed.compareAndSet(place, hash | 1, 0)) {
        int stripe = counters.stripe();
        counters.add(stripe, Counter.TIMED_LOAD_NANOS, nanoTime.getAsLong() - begun);
        counters.add(stripe, Counter.TIMED_LOADS, 1);
      }
    }
  }

  private static int place(long hash) {
    return (int) (hash >>> (SAMPLE_SHIFT - PLACE_BITS)) & ((1 << PLACE_BITS) - 1);
  }

  /** Its high bits tell the sample and the place. */
  private static long hash(long fileId, long offset) {
    long mixed = (fileId * 0x9e3779b97f4a7c15L) ^ offset;
    mixed ^= mixed >>> 29;
    return mixed * 0xbf58476d1ce4e5b9L;
  }
}
