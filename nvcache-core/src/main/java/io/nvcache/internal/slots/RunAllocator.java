// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.internal.space.LocationCodec;
import io.nvcache.internal.space.Sizing;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives small media slots of any size anywhere: a block takes the shortest free run of granules
 * that is long enough, and what it leaves free joins its free neighbours. So a medium that has room
 * for no more than a few dozen blocks is full of them whatever their sizes, where slabs would need
 * an extent for each size.
 *
 * <p>A location holds the slot's size next to its first granule; only the free runs are kept in
 * memory ({@link FreeRuns}), and pins ({@link SlotPins}). That a location has bits for both bounds
 * the medium ({@link Sizing#MAX_RUN_BYTES}).
 *
 * <p><b>Room for a block that finds none.</b> A victim makes room if the run that it leaves is long
 * enough; others are spared. When all are, the block is refused. Then, and when those spared are of
 * sizes that have gone out of use, the background work empties windows of the medium that the
 * {@link Drainer} chooses.
 *
 * <p><b>Locking.</b> One lock, held for a search among the free runs of a few extents, for
 * allocating and freeing; not for pins, nor for passing a victim's slot on to a block of its size.
 */
public final class RunAllocator extends Allocator {
  /** Extents that are searched for the best fit. */
  private static final int EXTENTS_SEARCHED = 8;

  private final SizeClasses sizes;
  private final int granuleBytes;
  private final int granules;
  private final int granulesPerExtent;
  private final int granuleBits;
  private final FreeRuns[] extents;

  private final SlotPins pins;

  private final Drainer drainer;

  /** Moves whenever room may have come to be. */
  private volatile int frees;

  /** By size: {@link #frees} when it last found no room. */
  private final AtomicIntegerArray exhaustedAt;

  /** The extent to search first. */
  private int hand;

  private volatile long usedBytes;

  /** Manages the runs of a medium. */
  public RunAllocator(Sizing sizing) {
    this(sizing, granuleBits(sizing));
  }

  private RunAllocator(Sizing sizing, int granuleBits) {
    this(sizing, granuleBits, sizes(sizing, 1 << (Integer.SIZE - granuleBits)));
  }

  private RunAllocator(Sizing sizing, int granuleBits, SizeClasses sizes) {
    super(
        new LocationCodec(
            sizing,
            wholeGranules(sizing),
            sizes.slotBytes(),
            granuleBits,
            (1L << granuleBits) - 1));
    this.granuleBytes = sizing.granuleBytes();
    this.sizes = sizes;
    this.granuleBits = granuleBits;
    this.granules = (int) (locations().capacityBytes() / sizing.granuleBytes());
    this.granulesPerExtent = sizing.extentBytes() / sizing.granuleBytes();
    this.extents = new FreeRuns[locations().extentCount()];
    for (int i = 0; i < extents.length; i++) {
      extents[i] = new FreeRuns(Math.min(granulesPerExtent, granules - i * granulesPerExtent));
    }
    this.drainer = new Drainer(granules, granulesPerExtent);
    this.pins = new SlotPins(sizing.expectedBlocks());
    this.exhaustedAt = new AtomicIntegerArray(sizes.count());
    for (int i = 0; i < sizes.count(); i++) {
      exhaustedAt.set(i, frees - 1);
    }
  }

  private static long wholeGranules(Sizing sizing) {
    return sizing.capacityBytes() / sizing.granuleBytes() * sizing.granuleBytes();
  }

  private static SizeClasses sizes(Sizing sizing, int most) {
    return SizeClasses.fine(sizing.granuleBytes(), sizing.maxBlockBytes(), most);
  }

  private static int granuleBits(Sizing sizing) {
    return Long.SIZE
        - Long.numberOfLeadingZeros(sizing.capacityBytes() / sizing.granuleBytes() - 1);
  }

  @Override
  long take(int lengthBytes) {
    int sizeClass = sizes.classOf(lengthBytes);
    // In a cache that is full and in which victims make room for their successors, this is the
    // rule, and saves the lock.
    return exhaustedAt.get(sizeClass) == frees ? NO_SPACE : takeLocked(sizeClass);
  }

  /** Takes the run that fits the best, of a few extents that have room. */
  private synchronized long takeLocked(int sizeClass) {
    int wanted = granulesOf(sizeClass);
    int best = 0;
    int bestRun = 0;
    int leastLeft = Integer.MAX_VALUE;
    int searched = 0;
    for (int i = 0; i < extents.length && searched < EXTENTS_SEARCHED && leastLeft > 0; i++) {
      int number = hand + i < extents.length ? hand + i : hand + i - extents.length;
      FreeRuns extent = extents[number];
      if (extent.longest() >= wanted
          && !drainer.isChosen(number * granulesPerExtent, granulesPerExtent)) {
        int run = extent.bestFit(wanted);
        int left = extent.length(run) - wanted;
        if (left < leastLeft) {
          best = number;
          bestRun = run;
          leastLeft = left;
        }
        searched++;
      }
    }
    if (searched == 0) {
      exhaustedAt.set(sizeClass, frees);
      return NO_SPACE;
    }
    int start = extents[best].take(bestRun, wanted);
    hand = best;
    usedBytes += (long) wanted * granuleBytes;
    drainer.blockCame(wanted);
    return (long) sizeClass << granuleBits | (best * (long) granulesPerExtent + start);
  }

  private int granulesOf(int sizeClass) {
    return sizes.slotBytes(sizeClass) / granuleBytes;
  }

  private int granulesAt(long location) {
    return locations().slotBytes(location) / granuleBytes;
  }

  private int extentOf(long location) {
    return (int) (locations().granule(location) / granulesPerExtent);
  }

  private int inExtent(long location) {
    return (int) (locations().granule(location) % granulesPerExtent);
  }

  @Override
  public void release(long location) {
    if (!isSlot(location)) {
      throw new IllegalStateException("released location " + location + " that is none");
    }
    // The entry was taken out of the index before: now, not earlier, it is seen whether a pin
    // that knew of it was counted.
    VarHandle.fullFence();
    long granule = locations().granule(location);
    if (pins.isNone(granule) || !pins.keep(granule, location)) {
      free(location);
    }
  }

  private boolean isSlot(long location) {
    int length = granulesAt(location);
    return length > 0
        && locations().granule(location) + length <= granules
        && inExtent(location) + length <= granulesPerExtent;
  }

  private void free(long location) {
    reportFreed(location);
    freeLocked(location);
  }

  private synchronized void freeLocked(long location) {
    int length = granulesAt(location);
    extents[extentOf(location)].free(inExtent(location), length);
    usedBytes -= (long) length * granuleBytes;
    frees++;
  }

  @Override
  public boolean pin(long location) {
    return pins.begin(locations().granule(location));
  }

  @Override
  public void unpin(long location) {
    long granule = locations().granule(location);
    if (pins.end(granule)) {
      for (long slot = pins.takeKept(granule); slot != NO_SPACE; ) {
        free(slot);
        slot = pins.takeKept(granule);
      }
    }
  }

  @Override
  public boolean isUnpinned(long location) {
    return pins.isNone(locations().granule(location));
  }

  @Override
  public synchronized boolean isTaken(long location) {
    return isSlot(location)
        && !extents[extentOf(location)].overlaps(inExtent(location), granulesAt(location));
  }

  @Override
  public boolean wouldNotHelp(long location, int lengthBytes) {
    int wanted = granulesOf(sizes.classOf(lengthBytes));
    int length = granulesAt(location);
    return length < wanted && isSlot(location) && wouldNotHelpLocked(location, length, wanted);
  }

  private synchronized boolean wouldNotHelpLocked(long location, int length, int wanted) {
    FreeRuns extent = extents[extentOf(location)];
    if (extent.lengthIfFreed(inExtent(location), length) >= wanted) {
      return false;
    }
    drainer.victimSpared(length, wanted);
    return true;
  }

  @Override
  public boolean fits(long location, int lengthBytes) {
    return !isObserved()
        && locations().slotBytes(location) == sizes.slotBytes(sizes.classOf(lengthBytes))
        && !isDraining(location);
  }

  @Override
  public long usedBytes() {
    return usedBytes;
  }

  @Override
  int shareBytes(long location) {
    return locations().slotBytes(location);
  }

  @Override
  public synchronized long metadataBytes() {
    long bytes = pins.metadataBytes();
    for (FreeRuns extent : extents) {
      bytes += extent.metadataBytes();
    }
    return bytes;
  }

  @Override
  public synchronized void recordShortage(int lengthBytes, Shortage why) {
    drainer.blockRefused(granulesOf(sizes.classOf(lengthBytes)));
  }

  @Override
  public boolean wantsDraining() {
    return drainer.isWanted();
  }

  @Override
  public int beginDraining(Consumer<LongConsumer> movable) {
    DrainPlan plan = plan();
    if (plan == null) {
      return 0;
    }
    movable.accept(
        location -> {
          if (isSlot(location)) {
            drainer.show(plan, (int) locations().granule(location), granulesAt(location));
          }
        });
    return choose(plan);
  }

  private synchronized @Nullable DrainPlan plan() {
    return drainer.plan(extents);
  }

  private synchronized int choose(DrainPlan plan) {
    return drainer.choose(plan);
  }

  @Override
  public boolean isDraining(long location) {
    return drainer.isChosen((int) locations().granule(location), granulesAt(location))
        && isSlot(location);
  }

  @Override
  public synchronized void endDraining() {
    drainer.end();
    frees++;
  }
}
