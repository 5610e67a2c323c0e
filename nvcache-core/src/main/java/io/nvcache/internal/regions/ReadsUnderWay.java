// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

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

  private static int place(long location) {
    return ((int) ((location * GOLDEN) >>> (Long.SIZE - PLACE_BITS)) + 1) * SPACING;
  }
}
