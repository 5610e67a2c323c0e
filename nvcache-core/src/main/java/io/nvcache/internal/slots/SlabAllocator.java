// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.internal.space.LocationCodec;
import io.nvcache.internal.space.Sizing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts each extent of a large medium into slots of one size class.
 *
 * <p>A location is the slot's first granule; its high bits are the number of its extent, from which
 * the size follows.
 *
 * <p><b>Locking.</b> One lock, held for some dozen instructions to allocate, for the last release
 * of a slot and for changing what an extent is cut for; not for passing a victim's slot on to a
 * block of its size. {@link #pin}, {@link #release} of all but the last reference and the size of a
 * slot go without it: an extent's object is immutable in its cut, and a reader that still holds an
 * outdated one finds all its slots free.
 */
public final class SlabAllocator extends Allocator {
  private final SizeClasses sizes;
  private final int extentBytes;
  private final AtomicReferenceArray<@Nullable Extent> extents;

  /** By class: its extents that have a free slot; the first is taken from. */
  private final List<ExtentList> open = new ArrayList<>();

  private final ArrayDeque<Integer> unassigned = new ArrayDeque<>();

  private final ClassDebts debts;

  /** By extent: the size of its slots, or 0; what a hit needs to know, in few cache lines. */
  private final int[] cuts;

  /** Moves whenever room may have come to be. */
  private volatile int frees;

  /** By class: {@link #frees} when it last found no room. */
  private final AtomicIntegerArray exhaustedAt;

  /** How many extents are draining. */
  private volatile int draining;

  /** Whether a reference was ever added to a slot: until then each that is taken has one. */
  private volatile boolean everRetained;

  private volatile boolean wantsDraining;
  private volatile long usedBytes;
  private volatile long metadataBytes;

  /** Manages the extents of a medium. */
  public SlabAllocator(Sizing sizing) {
    this(sizing, new int[extents(sizing)]);
  }

  private SlabAllocator(Sizing sizing, int[] cuts) {
    super(
        new LocationCodec(
            sizing,
            (long) cuts.length * sizing.extentBytes(),
            cuts,
            Integer.numberOfTrailingZeros(sizing.extentBytes() / sizing.granuleBytes()),
            -1L));
    this.extentBytes = sizing.extentBytes();
    this.sizes =
        SizeClasses.evenParts(sizing.granuleBytes(), sizing.extentBytes(), sizing.maxBlockBytes());
    this.cuts = cuts;
    this.extents = new AtomicReferenceArray<>(cuts.length);
    this.exhaustedAt = new AtomicIntegerArray(sizes.count());
    for (int i = 0; i < sizes.count(); i++) {
      open.add(new ExtentList());
      exhaustedAt.set(i, frees - 1);
    }
    for (int i = 0; i < cuts.length; i++) {
      unassigned.add(i);
    }
    this.debts = new ClassDebts(sizes.count(), extentBytes);
  }

  private static int extents(Sizing sizing) {
    return (int) (sizing.capacityBytes() / sizing.extentBytes());
  }

  /** With one reference. */
  @Override
  long take(int lengthBytes) {
    int sizeClass = sizes.classOf(lengthBytes);
    // In a cache that is full and in which victims make room for their successors, this is the
    // rule, and saves the lock.
    return exhaustedAt.get(sizeClass) == frees ? NO_SPACE : allocateLocked(sizeClass);
  }

  private synchronized long allocateLocked(int sizeClass) {
    Extent extent = open.get(sizeClass).first();
    if (extent == null) {
      extent = assign(sizeClass);
    }
    if (extent == null) {
      exhaustedAt.set(sizeClass, frees);
      return NO_SPACE;
    }
    int slot = extent.take();
    if (extent.freeSlots() == 0) {
      open.get(sizeClass).remove(extent);
    }
    usedBytes += extent.shareBytes();
    return location(extent, slot);
  }

  private synchronized @Nullable Extent assign(int sizeClass) {
    if (unassigned.isEmpty() && !takeBackEmptyExtent()) {
      return null;
    }
    int number = unassigned.getFirst();
    int slotBytes = sizes.slotBytes(sizeClass);
    Extent extent = new Extent(number, sizeClass, slotBytes, extentBytes);
    unassigned.removeFirst(); // Only now: its number must not be lost if there is no memory for it.
    extents.set(number, extent);
    cuts[number] = slotBytes;
    open.get(sizeClass).addFirst(extent);
    metadataBytes += extent.metadataBytes();
    return extent;
  }

  /** A class keeps its last empty extent until another class has need of it. */
  private boolean takeBackEmptyExtent() {
    for (int sizeClass = 0; sizeClass < open.size(); sizeClass++) { // Iterators would be garbage.
      for (Extent extent = open.get(sizeClass).first(); extent != null; extent = extent.next) {
        if (extent.isEmpty()) {
          open.get(sizeClass).remove(extent);
          unassign(extent);
          return true;
        }
      }
    }
    return false;
  }

  private synchronized void unassign(Extent extent) {
    extents.set(extent.number, null);
    cuts[extent.number] = 0;
    frees++;
    metadataBytes -= extent.metadataBytes();
    unassigned.addLast(extent.number);
  }

  /** Adds a reference. */
  @Override
  public boolean pin(long location) {
    if (!everRetained) {
      everRetained = true; // Before the reference is there, and seen by writers that look for it.
    }
    Extent extent = extentAt(location);
    return extent != null && extent.retain(slotAt(extent, location));
  }

  @Override
  public boolean isTaken(long location) {
    Extent extent = extentAt(location);
    if (extent == null) {
      return false;
    }
    int slot = slotAt(extent, location);
    return slot < extent.slots && location(extent, slot) == location && extent.references(slot) > 0;
  }

  /** Takes a reference away; with the last one, the slot is free. */
  @Override
  public void release(long location) {
    Extent extent = extentAt(location);
    if (extent == null) {
      throw new IllegalStateException("released location " + location + " of a free extent");
    }
    int slot = slotAt(extent, location);
    if (extent.release(slot)) {
      // Not the location given: a read of an extent that was cut again may have pinned from within
      // a slot.
      reportFreed(location(extent, slot));
      free(extent, slot);
    }
  }

  @Override
  public void unpin(long location) {
    release(location);
  }

  private synchronized void free(Extent extent, int slot) {
    extent.free(slot);
    frees++;
    usedBytes -= extent.shareBytes();
    if (extent.isDraining()) {
      return;
    }
    ExtentList withRoom = open.get(extent.sizeClass);
    if (extent.freeSlots() == 1) {
      withRoom.addFirst(extent);
    }
    if (extent.isEmpty() && withRoom.hasSeveral()) {
      withRoom.remove(extent);
      unassign(extent);
    }
  }

  /**
   * A victim is spared if its class has room. Its class then {@linkplain ClassDebts owes} the other
   * one.
   */
  @Override
  public boolean wouldNotHelp(long location, int lengthBytes) {
    if (isCutFor(location, lengthBytes)) {
      return false;
    }
    Extent extent = extentAt(location);
    return extent != null && wouldNotHelpLocked(extent, sizes.classOf(lengthBytes));
  }

  /**
   * Returns whether the slots of a location's extent have the size of a block's class. Asks no
   * extent: a large medium's are not in a processor's cache, and each step to one would be waited
   * for.
   */
  private boolean isCutFor(long location, int lengthBytes) {
    return locations().slotBytes(location) == sizes.slotBytes(sizes.classOf(lengthBytes));
  }

  private synchronized boolean wouldNotHelpLocked(Extent extent, int creditor) {
    int debtor = extent.sizeClass;
    if (extent.isDraining() || open.get(debtor).isEmpty()) {
      return false;
    }
    debts.spare(debtor, creditor, extent.shareBytes());
    wantsDraining |= debts.isInDebt(debtor);
    return true;
  }

  @Override
  public boolean fits(long location, int lengthBytes) {
    return !isObserved() && isCutFor(location, lengthBytes) && !isDraining(location);
  }

  /** Before the first pin ever, that is known without looking at the slot's references. */
  @Override
  public boolean isUnpinned(long location) {
    return !everRetained || references(location) == 1;
  }

  /** References of the slot: the index's and the pins'. */
  public int references(long location) {
    Extent extent = extentAt(location);
    return extent == null ? 0 : extent.references(slotAt(extent, location));
  }

  @Override
  public long usedBytes() {
    return usedBytes;
  }

  @Override
  int shareBytes(long location) {
    return extentBytes / (extentBytes / locations().slotBytes(location));
  }

  @Override
  public long metadataBytes() {
    return metadataBytes;
  }

  @Override
  public synchronized void recordShortage(int lengthBytes, Shortage why) {
    if (why != Shortage.VICTIMS_SPARED) { // Each victim spared was a debt.
      debts.starve(sizes.classOf(lengthBytes));
      wantsDraining = true;
    }
  }

  @Override
  public boolean wantsDraining() {
    return wantsDraining;
  }

  /**
   * Chooses extents to be emptied, so that they can be cut for another class: one of each class in
   * debt, and the emptiest of all for the classes that starve. Extents with pinned blocks are
   * passed over, and so are those that could not be emptied the last time, or one of them would be
   * chosen for ever.
   */
  @Override
  public synchronized int beginDraining(Consumer<LongConsumer> movable) {
    wantsDraining = false;
    if (!unassigned.isEmpty()) {
      debts.forgive();
      return 0;
    }
    List<Extent> emptiestFirst = new ArrayList<>();
    for (int i = 0; i < extents.length(); i++) {
      Extent extent = extents.get(i);
      if (extent != null) {
        emptiestFirst.add(extent);
      }
    }
    emptiestFirst.sort(Comparator.comparingDouble(Extent::takenShare));
    int starved = 0;
    for (int i = 0; i < sizes.count(); i++) {
      starved += debts.isStarving(i) && open.get(i).isEmpty() ? 1 : 0;
    }
    int drained = 0;
    for (Extent extent : emptiestFirst) {
      boolean inDebt = debts.isInDebt(extent.sizeClass);
      boolean needed = starved > 0 && !debts.isStarving(extent.sizeClass);
      if ((inDebt || needed) && !extent.isImmovable() && !extent.isPinned()) {
        if (inDebt) {
          debts.pay(extent.sizeClass);
        } else {
          starved--;
        }
        draining++;
        extent.drain();
        open.get(extent.sizeClass).remove(extent);
        drained++;
      }
    }
    debts.feed();
    return drained;
  }

  /**
   * Ends the draining: an extent that is empty is free, and one that is not, because a block in it
   * was pinned or inserted since or is in quarantine, continues as before, and is not chosen again
   * before one of its slots was freed.
   */
  @Override
  public synchronized void endDraining() {
    for (int i = 0; i < extents.length(); i++) {
      Extent extent = extents.get(i);
      if (extent != null && extent.isDraining()) {
        extent.endDraining();
        draining--;
        frees++;
        if (extent.isEmpty()) {
          unassign(extent);
        } else if (extent.freeSlots() > 0) {
          open.get(extent.sizeClass).addLast(extent);
        }
      }
    }
  }

  @Override
  public boolean isDraining(long location) {
    if (draining == 0) {
      return false;
    }
    Extent extent = extentAt(location);
    return extent != null && extent.isDraining();
  }

  private @Nullable Extent extentAt(long location) {
    int number = locations().extentNumber(location);
    return number < extents.length() ? extents.get(number) : null;
  }

  private int slotAt(Extent extent, long location) {
    long inExtent = locations().byteOffset(location) & (extentBytes - 1);
    return (int) inExtent / extent.slotBytes;
  }

  private long location(Extent extent, int slot) {
    long offset = (long) extent.number * extentBytes + (long) slot * extent.slotBytes;
    return offset / locations().granuleBytes();
  }
}
