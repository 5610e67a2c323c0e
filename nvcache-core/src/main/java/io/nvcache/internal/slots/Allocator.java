// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.internal.space.BlockStore;
import io.nvcache.internal.space.LocationCodec;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands out slots of the medium, one for each block. Knows the medium by numbers only and never
 * touches it, so that neither allocating nor freeing writes to it.
 *
 * <p>{@link RunAllocator} gives small media slots of any size anywhere; {@link SlabAllocator} cuts
 * the extents of large ones into slots of one size.
 *
 * <p><b>Guarantees.</b> Slots handed out never overlap and never reach past the capacity. A slot is
 * handed out again only after it was released and its last pin has ended.
 */
public abstract class Allocator {
  /** What {@link #allocate} returns when there is no room. */
  public static final long NO_SPACE = BlockStore.NO_SPACE;

  /** Pins of one slot at once, at most. */
  static final int MAX_PINS = 254;

  private final LocationCodec locations;
  private @Nullable SlotObserver observer;

  /**
   * Hears of slots that are freed, before another block can have them, and taken, before they are
   * used.
   */
  interface SlotObserver {
    void freed(long location, int slotBytes);

    void taken(long location, int slotBytes);
  }

  Allocator(LocationCodec locations) {
    this.locations = locations;
  }

  /** To be called before the allocator is shared. */
  public final void observe(SlotObserver its) {
    this.observer = its;
  }

  final boolean isObserved() {
    return observer != null;
  }

  /** Takes a slot that holds {@code lengthBytes}; or {@link #NO_SPACE}. */
  public final long allocate(int lengthBytes) {
    long location = take(lengthBytes);
    if (observer != null && location >= 0) {
      observer.taken(location, locations.slotBytes(location));
    }
    return location;
  }

  /** To be called after a slot is given up, and before another block can take it. */
  final void reportFreed(long location) {
    if (observer != null) {
      observer.freed(location, locations.slotBytes(location));
    }
  }

  /** Returns what reads the locations that are handed out. */
  public final LocationCodec locations() {
    return locations;
  }

  /** Returns whether less than this part of the medium is taken. */
  public final boolean isBelow(double share) {
    return usedBytes() < locations.capacityBytes() * share;
  }

  abstract long take(int lengthBytes);

  /** Gives a slot back; it is free once its last pin has ended. */
  public abstract void release(long location);

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

  /** Returns whether a slot is known to begin at the location, and a block has it. */
  public abstract boolean isTaken(long location);

  /**
   * Returns whether a victim should be spared, since freeing its slot would not make room for the
   * block that finds none.
   *
   * @param lengthBytes that block's
   */
  public abstract boolean wouldNotHelp(long location, int lengthBytes);

  /**
   * Returns whether a block of this length may take over the slot at a location, which the caller
   * holds and which has no pin. So it needn't be freed and found again, unless a {@link
   * SlotObserver} has to hear of it.
   */
  public abstract boolean fits(long location, int lengthBytes);

  /**
   * Returns the bytes of the slots taken, with their shares of what can't be used at their extents'
   * ends.
   */
  public abstract long usedBytes();

  /** Returns what the slot counts for in {@link #usedBytes}. */
  abstract int shareBytes(long location);

  /** Returns the bytes of DRAM for all this. */
  public abstract long metadataBytes();

  /** Why a block found no room. */
  public enum Shortage {
    /** Others made room, or space is free, and none of it is long enough. */
    FRAGMENTED,
    /** All victims were {@linkplain #wouldNotHelp spared}. */
    VICTIMS_SPARED
  }

  /** Notes that a block of this length found no room. */
  public abstract void recordShortage(int lengthBytes, Shortage why);

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

  /** Ends the draining: what is empty now can be had, and the rest continues as before. */
  public abstract void endDraining();
}
