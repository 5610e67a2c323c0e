// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the bytes of the medium, each block's in one piece. Knows the medium by numbers only
 * and never touches it, so that neither allocating nor freeing writes to it.
 *
 * <p>A <em>location</em> names a slot: 32 bits, from which the slot's first byte and its size are
 * known from the location alone. Its high bits pick a size from a table, and the bits that the mask
 * leaves are the slot's first granule. {@link RunAllocator} gives small media slots of any size
 * anywhere; {@link SlabAllocator} cuts the extents of large ones into slots of one size; {@link
 * RegionAllocator} appends, and has no space of a single block to give again.
 *
 * <p><b>Guarantees.</b> Slots handed out never overlap and never reach past the capacity. A slot is
 * handed out again only after it was released and its last pin has ended.
 */
public abstract class Allocator {
  /** What {@link #allocate} returns when there is no room. */
  public static final long NO_SPACE = -1;

  /** What {@link #allocate} returns when there is room, but no buffer for what is written there. */
  public static final long BUSY = -2;

  /** Pins of one slot at once, at most. */
  static final int MAX_PINS = 254;

  private final int granuleShift;
  private final int extentShift;
  private final int extentBytes;
  private final int maxBlockBytes;
  private final long capacityBytes;

  /** By the high bits of a location: the size of the slot. */
  private final int[] cuts;

  private final int cutShift;
  private final long granuleMask;

  private @Nullable SlotWatch watch;

  /**
   * Hears of slots that are freed, before another block can have them, and taken, before they are
   * used.
   */
  interface SlotWatch {
    void freed(long location, int slotBytes);

    void taken(long location, int slotBytes);
  }

  /**
   * How locations are read.
   *
   * @param capacityBytes what is handed out
   * @param cuts by the high bits of a location, the size of the slot. Plain: who comes by a
   *     location through the index sees at least what was written before it was put there
   * @param cutShift how many bits lie below those
   * @param granuleMask the bits of a location that are the slot's first granule
   */
  Allocator(Sizing sizing, long capacityBytes, int[] cuts, int cutShift, long granuleMask) {
    this.granuleShift = Integer.numberOfTrailingZeros(sizing.granuleBytes());
    this.extentShift = Integer.numberOfTrailingZeros(sizing.extentBytes());
    this.extentBytes = sizing.extentBytes();
    this.maxBlockBytes = sizing.maxBlockBytes();
    this.capacityBytes = capacityBytes;
    this.cuts = cuts;
    this.cutShift = cutShift;
    this.granuleMask = granuleMask;
  }

  /** To be called before the allocator is shared. */
  public final void watch(SlotWatch watch) {
    this.watch = watch;
  }

  final boolean isWatched() {
    return watch != null;
  }

  /** Takes a slot that holds {@code lengthBytes}; or {@link #NO_SPACE}. */
  public final long allocate(int lengthBytes) {
    long location = take(lengthBytes);
    if (watch != null && location >= 0) {
      watch.taken(location, slotBytes(location));
    }
    return location;
  }

  /** To be called after a slot is given up, and before another block can take it. */
  final void tellFreed(long location) {
    if (watch != null) {
      watch.freed(location, slotBytes(location));
    }
  }

  /** Returns the slot size at a location; 0 if there is none. */
  public final int slotBytes(long location) {
    int cut = (int) (location >>> cutShift);
    // Never negative, which compilers don't know: with this, they needn't check the bounds again.
    return cut >= 0 && cut < cuts.length ? cuts[cut] : 0;
  }

  /** Returns the first granule of the slot at a location. */
  public final long granule(long location) {
    return location & granuleMask;
  }

  /** Returns the medium's byte that a location stands for. */
  final long byteOffset(long location) {
    return (location & granuleMask) << granuleShift;
  }

  /** Returns the length of the longest block. */
  public final int maxBlockBytes() {
    return maxBlockBytes;
  }

  /** Returns the bits of a location that are the slot's first granule. */
  final long granuleMask() {
    return granuleMask;
  }

  public final int granuleBytes() {
    return 1 << granuleShift;
  }

  /** Returns the extent that a location lies in. */
  final int extentNumber(long location) {
    return (int) (byteOffset(location) >>> extentShift);
  }

  final int extentBytes() {
    return extentBytes;
  }

  /** Returns how many extents there are; the last may be shorter than the others. */
  final int extentCount() {
    return (int) ((capacityBytes + extentBytes - 1) >>> extentShift);
  }

  /** Returns the bytes that are handed out: the medium, less what is left over at its end. */
  public final long capacityBytes() {
    return capacityBytes;
  }

  /** Returns whether less than this part of the medium is taken. */
  public final boolean isBelow(double share) {
    return usedBytes() < capacityBytes * share;
  }

  abstract long take(int lengthBytes);

  /** Gives a slot back; it is free once its last pin has ended. */
  public abstract void release(long location);

  /** The same, by who knows the length of the block that had it. */
  public void release(long location, int lengthBytes) {
    release(location);
  }

  /** Returns whether a block that is evicted makes room for another at once. */
  public boolean reusesSlots() {
    return true;
  }

  /**
   * Notes that the bytes at a location could not be written, read, or were not what was written.
   */
  public void damaged(long location) {}

  /** Returns what a block of this length at this location takes of the medium. */
  public int spaceBytes(long location, int lengthBytes) {
    return slotBytes(location);
  }

  /**
   * Keeps the slot at a location from being handed out again until {@link #unpin}. Means something
   * only if the slot was still taken afterwards.
   *
   * @return false if it is free, is none, or has as many pins as can be counted
   */
  public abstract boolean pin(long location);

  /** Ends a pin. */
  public abstract void unpin(long location);

  /**
   * Returns whether the slot has no pin. It may say that it has one when the pin is another slot's,
   * never the other way round.
   */
  public abstract boolean isUnpinned(long location);

  /** Returns whether a slot begins at the location, as far as that is known, and a block has it. */
  public abstract boolean isTaken(long location);

  /**
   * Returns whether a victim should be spared, since freeing its slot would not make room for the
   * block that finds none.
   *
   * @param lengthBytes that block's
   */
  public abstract boolean spares(long location, int lengthBytes);

  /**
   * Returns whether a block of this length may take over the slot at a location, which the caller
   * holds and which has no pin. So it needn't be freed and found again, unless a {@link SlotWatch}
   * has to hear of it.
   */
  public abstract boolean suits(long location, int lengthBytes);

  /**
   * Returns the bytes of the slots taken, with their shares of what can't be used at their extents'
   * ends.
   */
  public abstract long usedBytes();

  /** Returns what the slot counts for in {@link #usedBytes}. */
  abstract int shareBytes(long location);

  /** Returns the bytes of DRAM for all this. */
  public abstract long metadataBytes();

  /** Notes that a block of this length found no room though others gave way or space is free. */
  public abstract void starve(int lengthBytes);

  /** Notes that a block of this length found no room since all victims were spared. */
  public abstract void starveForSpared(int lengthBytes);

  /** Returns whether {@link #beginDraining} has something to do. */
  public abstract boolean wantsDraining();

  /**
   * Chooses space to be emptied for the blocks that found no room. The caller then evicts the
   * blocks there and calls {@link #endDraining}.
   *
   * @param movable shows the slots of all blocks that could be evicted now
   * @return how many pieces there are
   */
  public abstract int beginDraining(Consumer<LongConsumer> movable);

  /** Returns whether a slot lies in space that is to be emptied. */
  public abstract boolean isDraining(long location);

  /** Ends the draining: what is empty now can be had, and the rest goes on as before. */
  public abstract void endDraining();
}
