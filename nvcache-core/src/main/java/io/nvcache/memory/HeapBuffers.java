// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Lends buffers on the heap for the time of one call, by powers of two bytes. Keeps at most {@link
 * LendingPool#MOST} of each, and none that would make more than 8 MiB of their length; what is lent
 * beyond that is garbage.
 */
public final class HeapBuffers {
  private static final int LEAST_SHIFT = 12;
  private static final int KEPT_BYTES_OF_A_LENGTH = 8 << 20;

  private final AtomicReferenceArray<@Nullable LendingPlaces<ByteBuffer>> classes =
      new AtomicReferenceArray<>(Integer.SIZE - LEAST_SHIFT);

  private static int shift(int lengthBytes) {
    int shift = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, lengthBytes) - 1);
    return Math.max(LEAST_SHIFT, shift);
  }

  /** Returns a buffer that is the caller's own until it gives it back, with room for a length. */
  public ByteBuffer take(int lengthBytes) {
    int shift = shift(lengthBytes);
    LendingPlaces<ByteBuffer> places = isKept(shift) ? classes.get(shift - LEAST_SHIFT) : null;
    ByteBuffer kept = places == null ? null : places.take();
    if (kept == null) {
      kept = ByteBuffer.allocate(isKept(shift) ? 1 << shift : lengthBytes);
    }
    return kept.clear().limit(lengthBytes);
  }

  private static boolean isKept(int shift) {
    return 1L << shift <= KEPT_BYTES_OF_A_LENGTH;
  }

  public void giveBack(ByteBuffer lent) {
    int shift = shift(lent.capacity());
    if (isKept(shift)) {
      places(shift).keep(lent);
    }
  }

  private LendingPlaces<ByteBuffer> places(int shift) {
    LendingPlaces<ByteBuffer> places = classes.get(shift - LEAST_SHIFT);
    if (places != null) {
      return places;
    }
    int most = Math.min(LendingPlaces.MOST, KEPT_BYTES_OF_A_LENGTH >> shift);
    LendingPlaces<ByteBuffer> made = new LendingPlaces<>(most);
    LendingPlaces<ByteBuffer> other = classes.compareAndExchange(shift - LEAST_SHIFT, null, made);
    return other == null ? made : other;
  }

  /** Returns the bytes of the buffers that are kept and not lent just now. */
  public long keptBytes() {
    long bytes = 0;
    for (int i = 0; i < classes.length(); i++) {
      LendingPlaces<ByteBuffer> places = classes.get(i);
      bytes += places == null ? 0 : (long) places.kept() << (i + LEAST_SHIFT);
    }
    return bytes;
  }
}
