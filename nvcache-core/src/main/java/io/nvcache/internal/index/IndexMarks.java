// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import static io.nvcache.internal.index.BucketLayout.BUCKET_SHIFT;
import static io.nvcache.internal.index.BucketLayout.SLOTS_SHIFT;

import io.nvcache.eviction.SlotMarks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The policies' marks of an index's slots, in the buckets themselves. A policy may keep them beyond
 * the life of the cache, and is refused then.
 */
final class IndexMarks implements SlotMarks {
  private static final VarHandle OPEN_SLOTS;

  static {
    try {
      OPEN_SLOTS = MethodHandles.lookup().findVarHandle(IndexMarks.class, "openSlots", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long base;

  /**
   * The slots that have marks: all, or none once the memory is freed. Read opaquely, or a loop of a
   * policy's own thread could continue with what it read first.
   */
  @SuppressWarnings("UnusedVariable") // It is read through the handle.
  private int openSlots;

  /**
   * Keeps marks in the buckets of an index.
   *
   * @param base the address of the first bucket
   */
  IndexMarks(long base, int slots) {
    this.base = base;
    this.openSlots = slots;
  }

  @Override
  public int get(int slot) {
    check(slot);
    return Bucket.mark(bucketOf(slot), BlockIndex.inBucket(slot));
  }

  @Override
  public long row(int first) {
    check(first);
    return Bucket.marks(bucketOf(first));
  }

  @Override
  public void set(int slot, int mark) {
    check(slot);
    Bucket.mark(bucketOf(slot), BlockIndex.inBucket(slot), mark);
  }

  private long bucketOf(int slot) {
    return base + ((long) (slot >>> SLOTS_SHIFT) << BUCKET_SHIFT);
  }

  private void check(int slot) {
    int open = (int) OPEN_SLOTS.getOpaque(this);
    if (Integer.compareUnsigned(slot, open) >= 0) {
      throw noMark(slot, open);
    }
  }

  private static RuntimeException noMark(int slot, int open) {
    return open == 0
        ? new IllegalStateException("the cache is closed, and its marks are gone with it")
        : new IndexOutOfBoundsException(
            "slot is " + slot + "; it must be between 0 and " + (open - 1));
  }

  /** Refuses all calls that begin from now on. */
  void close() {
    OPEN_SLOTS.setVolatile(this, 0);
  }
}
