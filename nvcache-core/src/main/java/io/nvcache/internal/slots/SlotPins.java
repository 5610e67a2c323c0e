// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the pins of slots, a byte for every other block that is expected; slots whose hashes meet
 * share a count. Sharing can't free what is pinned: a slot is free of pins only if its count is 0.
 * It takes no memory before the first pin. A slot that is released while its count is not 0 is kept
 * until it is.
 *
 * <p><b>Why this is safe.</b> Who pins counts first and then looks whether the index still has the
 * block; who takes a block out of the index does so first and then looks at the count. So one of
 * them sees the other. In the same way, who keeps a slot back does so first and then looks at the
 * count again, and who ends a pin looks for slots kept back after it has counted.
 *
 * <p><b>Locking.</b> Counts change by compare-and-set; the slots kept back are under a lock.
 */
final class SlotPins {
  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(byte[].class);
  private static final int LEAST = 1 << 10;
  private static final int MOST = 1 << 24;
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  /** A power of two. */
  private final int size;

  private volatile byte @Nullable [] counts;

  /** By count: slots that were released and are kept. */
  private final Map<Integer, ArrayDeque<Long>> kept = new HashMap<>();

  private volatile int keptSlots;

  SlotPins(long expectedBlocks) {
    this.size = Integer.highestOneBit((int) Math.max(LEAST, Math.min(MOST, expectedBlocks / 2)));
  }

  /** Returns the count that a slot has a part in. */
  private int countOf(long granule) {
    return (int) ((granule * GOLDEN_RATIO) >>> (Long.SIZE - Integer.numberOfTrailingZeros(size)));
  }

  /** Counts a pin; false if there are as many as can be counted. */
  boolean begin(long granule) {
    byte[] bytes = counts;
    if (bytes == null) {
      bytes = make();
    }
    int count = countOf(granule);
    while (true) {
      byte seen = (byte) COUNTS.getVolatile(bytes, count);
      if (Byte.toUnsignedInt(seen) == Allocator.MAX_PINS) {
        return false;
      }
      if (COUNTS.compareAndSet(bytes, count, seen, (byte) (seen + 1))) {
        return true;
      }
    }
  }

  private synchronized byte[] make() {
    byte[] bytes = counts;
    if (bytes == null) {
      bytes = new byte[size];
      counts = bytes;
    }
    return bytes;
  }

  /**
   * Counts a pin out; true if slots may be {@linkplain #takeKept taken} that were kept for it.
   *
   * <p>By compare-and-set: C2 of JDK 17 miscompiles {@code getAndAdd} on bytes on x86, so that what
   * it returns is not equal to the value it represents.
   */
  boolean end(long granule) {
    byte[] bytes = counts;
    if (bytes == null) {
      throw new IllegalStateException("a pin ended before any had begun");
    }
    int count = countOf(granule);
    while (true) {
      byte seen = (byte) COUNTS.getVolatile(bytes, count);
      assert seen != 0 : "count " + count + " was 0";
      if (COUNTS.compareAndSet(bytes, count, seen, (byte) (seen - 1))) {
        return seen == 1 && keptSlots > 0;
      }
    }
  }

  /** Returns whether no slot that shares the count is pinned. */
  boolean isNone(long granule) {
    return isZero(countOf(granule));
  }

  private boolean isZero(int count) {
    byte[] bytes = counts;
    return bytes == null || (byte) COUNTS.getVolatile(bytes, count) == 0;
  }

  /** Keeps a slot that was released for its last pin to free; false if that has ended. */
  synchronized boolean keep(long granule, long location) {
    int count = countOf(granule);
    ArrayDeque<Long> slots = kept.computeIfAbsent(count, any -> new ArrayDeque<>());
    slots.addLast(location);
    keptSlots++;
    if (!isZero(count)) {
      return true;
    }
    slots.removeLast();
    keptSlots--;
    return false;
  }

  /** Returns a slot that was kept and is not pinned any more; or {@link Allocator#NO_SPACE}. */
  synchronized long takeKept(long granule) {
    int count = countOf(granule);
    ArrayDeque<Long> slots = kept.get(count);
    if (slots == null || !isZero(count)) {
      return Allocator.NO_SPACE; // The pin that was begun since looks again when it ends.
    }
    Long location = slots.pollFirst();
    if (location == null) {
      kept.remove(count);
      return Allocator.NO_SPACE;
    }
    keptSlots--;
    return location;
  }

  long metadataBytes() {
    return counts == null ? 0 : size;
  }
}
