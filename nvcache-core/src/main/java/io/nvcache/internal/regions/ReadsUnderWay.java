// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Shows the reads of blocks that are under way, so that a block which many threads want at once is
 * read from the medium once. A read whose place is taken is not shown, and is joined by no one.
 */
final class ReadsUnderWay {
  private static final int PLACES = 64;
  private static final int PLACE_BITS = Integer.numberOfTrailingZeros(PLACES);

  /** References from one place to the next: two cache lines. */
  private static final int SPACING = 32;

  /** Knuth, "The Art of Computer Programming", vol. 3, 6.4: 2^64 ÷ the golden ratio. */
  private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;

  private final AtomicReferenceArray<@Nullable BlockRead> reads =
      new AtomicReferenceArray<>((PLACES + 1) * SPACING);

  /** By place: one more than the location of a block that one thread reads for itself; or 0. */
  private final AtomicLongArray alone = new AtomicLongArray((PLACES + 1) * SPACING / 2);

  /** Returns the read that a block's place shows; it may be of another block. */
  @Nullable BlockRead at(long location) {
    return reads.get(place(location));
  }

  /** Shows a read, if its place is free. */
  boolean show(long location, BlockRead read) {
    return reads.compareAndSet(place(location), null, read);
  }

  /** Shows a read no longer. */
  void hide(long location) {
    reads.set(place(location), null);
  }

  /**
   * Begins a read that no one can join, since it goes to the caller's own buffer; false if another
   * one of the same block is seen to be under way. So a block that several threads want at once is
   * read twice, and joined from the second time on.
   */
  boolean beginAlone(long location) {
    int place = place(location) / 2;
    long other = alone.get(place);
    if (other == 0) {
      alone.compareAndSet(place, 0, location + 1);
    }
    return other != location + 1;
  }

  /** Ends it. */
  void endAlone(long location) {
    alone.compareAndSet(place(location) / 2, location + 1, 0);
  }

  private static int place(long location) {
    return ((int) ((location * GOLDEN) >>> (Long.SIZE - PLACE_BITS)) + 1) * SPACING;
  }
}
