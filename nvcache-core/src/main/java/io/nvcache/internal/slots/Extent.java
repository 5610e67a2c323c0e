// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One extent of the medium, cut into slots of one size class.
 *
 * <p>A slot's references are the index's own (one while the block is cached) and one for each pin;
 * at 0 the slot is free. All of it lies in DRAM: freeing a slot writes nothing to the medium.
 *
 * <p><b>Guarantees.</b> References are only ever raised from 1 or more, so no thread can come to
 * hold a slot that is free. <b>Locking.</b> References change by compare-and-set; everything else
 * belongs to the {@link SlabAllocator}'s lock.
 */
public final class Extent {
  private static final VarHandle REFERENCES = MethodHandles.arrayElementVarHandle(byte[].class);
  private static final int MAX_REFERENCES = 255;

  final int number;
  final int sizeClass;
  final int slotBytes;
  final int slots;

  private final int shareBytes;
  private final byte[] references;

  /** A set bit is a free slot. */
  private final long[] freeBits;

  /** Its neighbours in the {@link ExtentList} that it is in, if any, and that list's business. */
  @Nullable Extent previous;

  @Nullable Extent next;

  private int freeSlots;
  private int nextWord;
  private volatile boolean draining;

  /** Whether it was drained in vain, and no slot of it was freed since. */
  private boolean immovable;

  public Extent(int number, int sizeClass, int slotBytes, int extentBytes) {
    this.number = number;
    this.sizeClass = sizeClass;
    this.slotBytes = slotBytes;
    this.slots = extentBytes / slotBytes;
    this.shareBytes = extentBytes / slots;
    this.references = new byte[slots];
    this.freeBits = new long[(slots + Long.SIZE - 1) / Long.SIZE];
    Arrays.fill(freeBits, -1L);
    int tail = slots % Long.SIZE;
    if (tail != 0) {
      freeBits[freeBits.length - 1] = (1L << tail) - 1;
    }
    this.freeSlots = slots;
  }

  /** Returns a slot's size with its share of what is left over at the extent's end. */
  int shareBytes() {
    return shareBytes;
  }

  int freeSlots() {
    return freeSlots;
  }

  boolean isEmpty() {
    return freeSlots == slots;
  }

  /** Returns the part of the slots that is taken. */
  double takenShare() {
    return 1 - (double) freeSlots / slots;
  }

  boolean isDraining() {
    return draining;
  }

  void drain() {
    draining = true;
  }

  /**
   * Returns whether draining it again would be in vain: a caller has a slot of it whose block the
   * index does not know any more, such as a pin, or the quarantine, which never frees its slots.
   */
  boolean isImmovable() {
    return immovable;
  }

  void endDraining() {
    draining = false;
    immovable = !isEmpty();
  }

  /** Returns whether some block is pinned. */
  boolean isPinned() {
    for (int slot = 0; slot < slots; slot++) {
      if (references(slot) > 1) {
        return true;
      }
    }
    return false;
  }

  /** Takes a free slot, of which there must be one, with one reference. */
  public int take() {
    while (freeBits[nextWord] == 0) {
      nextWord = nextWord + 1 == freeBits.length ? 0 : nextWord + 1;
    }
    int slot = nextWord * Long.SIZE + Long.numberOfTrailingZeros(freeBits[nextWord]);
    freeBits[nextWord] &= freeBits[nextWord] - 1;
    freeSlots--;
    REFERENCES.setVolatile(references, slot, (byte) 1);
    return slot;
  }

  /** Makes a slot whose last reference is gone free to take. */
  void free(int slot) {
    freeBits[slot / Long.SIZE] |= 1L << slot;
    freeSlots++;
    immovable = false;
  }

  /** Adds a reference, unless the slot is free, not there, or has as many as can be counted. */
  public boolean retain(int slot) {
    if (slot >= slots) {
      return false;
    }
    while (true) {
      byte seen = (byte) REFERENCES.getVolatile(references, slot);
      int count = Byte.toUnsignedInt(seen);
      if (count == 0 || count == MAX_REFERENCES) {
        return false;
      }
      if (REFERENCES.compareAndSet(references, slot, seen, (byte) (count + 1))) {
        return true;
      }
    }
  }

  /**
   * Takes a reference away; true if it was the last.
   *
   * <p>By compare-and-set: C2 of JDK 17 miscompiles {@code getAndAdd} on bytes on x86, so that what
   * it returns is not equal to the value it represents.
   */
  public boolean release(int slot) {
    while (true) {
      byte seen = (byte) REFERENCES.getVolatile(references, slot);
      assert seen != 0 : "slot " + slot + " of extent " + number + " was free";
      if (REFERENCES.compareAndSet(references, slot, seen, (byte) (seen - 1))) {
        return seen == 1;
      }
    }
  }

  /** Returns how many references a slot has; 0 if it is free or not there. */
  public int references(int slot) {
    if (slot >= slots) {
      return 0; // Of a location from before the extent was cut anew.
    }
    return Byte.toUnsignedInt((byte) REFERENCES.getVolatile(references, slot));
  }

  /** Returns the bytes of DRAM that this extent's bookkeeping takes. */
  long metadataBytes() {
    return references.length + (long) freeBits.length * Long.BYTES;
  }
}
