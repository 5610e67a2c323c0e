// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import static io.nvcache.stats.Counter.EVICTED_BYTES;
import static io.nvcache.stats.Counter.INVALIDATED_BYTES;
import static io.nvcache.stats.Counter.INVALIDATIONS;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.space.BlockSpace;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;

/**
 * Removes blocks, and counts them by cause.
 *
 * <p>The entry goes first, inside its bucket's lock; the space is given back only after the
 * bucket's version has changed, so that a reader that copied bytes of the space's next block finds
 * its version outdated.
 */
public final class Remover {
  private final BlockIndex index;
  private final LocationCodec locations;
  private final BlockSpace blocks;
  private final FileTable files;
  private final StripedCounters counters;
  private final BlockIndex.SlotListener listener;
  private final BlockIndex.Removal ifUnpinned;
  private final BlockIndex.Removal ifDropped;

  public Remover(BlockTables tables, StripedCounters counters, BlockIndex.SlotListener listener) {
    this.files = tables.files();
    this.index = tables.index();
    this.locations = tables.locations();
    this.blocks = tables.blocks();
    this.counters = counters;
    this.listener = listener;
    this.ifUnpinned = (key, location) -> blocks.isUnpinned(location);
    this.ifDropped = (key, location) -> files.isDropped(BucketLayout.fileNumber(key));
  }

  /** Evicts the block in a slot for the cause given; false if there is none or it is pinned. */
  public boolean evict(int slot, Counter cause, int stripe) {
    return count(index.removeSlot(slot, ifUnpinned, listener), cause, EVICTED_BYTES, stripe);
  }

  /**
   * Evicts the block in a slot and passes its space on, with the reference that the index held.
   *
   * @return where the block lay, or {@link BlockIndex#NOT_REMOVED} if there is none or it is pinned
   */
  public long evictKeepingSpace(int slot, int stripe) {
    long place = index.removeSlot(slot, ifUnpinned, listener);
    if (place == BlockIndex.NOT_REMOVED) {
      return BlockIndex.NOT_REMOVED;
    }
    return countKeepingSpace(place, Counter.EVICTIONS, EVICTED_BYTES, stripe);
  }

  /**
   * Evicts the block in a slot if it lies in space that is to be emptied; a pin keeps the space
   * till its end.
   */
  public boolean evictFrom(BlockIndex.Removal where, int slot, Counter cause, int stripe) {
    return count(index.removeSlot(slot, where, listener), cause, EVICTED_BYTES, stripe);
  }

  /**
   * Takes out the block in a slot if its file is gone.
   *
   * @param key a guess without the bucket's lock
   */
  public boolean reclaimIfDropped(int slot, long key, int stripe) {
    return files.isDropped(BucketLayout.fileNumber(key))
        && count(
            index.removeSlot(slot, ifDropped, listener), INVALIDATIONS, INVALIDATED_BYTES, stripe);
  }

  /** Takes out one block on the caller's word. */
  boolean invalidate(long key, int stripe) {
    long place = index.remove(key, (anyKey, anyLocation) -> true, listener);
    return count(place, INVALIDATIONS, INVALIDATED_BYTES, stripe);
  }

  /**
   * Takes out a block whose bytes went bad, and leaves its space, with the reference that the index
   * held, to the caller.
   *
   * @return whether the block was there
   */
  public boolean quarantine(int slot, long location, int stripe) {
    long place = index.removeSlot(slot, (key, at) -> at == location, listener);
    if (place == BlockIndex.NOT_REMOVED) {
      return false;
    }
    countKeepingSpace(place, Counter.QUARANTINES, Counter.QUARANTINED_BYTES, stripe);
    return true;
  }

  /** Takes out a block whose bytes could not be written, if the one in the slot lies there. */
  public boolean dropUnwritten(int slot, BlockIndex.Removal where, int stripe) {
    long place = index.removeSlot(slot, where, listener);
    return count(place, Counter.QUARANTINES, Counter.QUARANTINED_BYTES, stripe);
  }

  /** Takes out a block that can't be read any more, if the one in the slot lies there. */
  public boolean lose(BlockIndex.Removal where, int slot, int stripe) {
    long place = index.removeSlot(slot, where, listener);
    return count(place, Counter.DRIVE_LOSSES, Counter.DRIVE_LOST_BYTES, stripe);
  }

  private boolean count(long place, Counter removals, Counter bytes, int stripe) {
    if (place == BlockIndex.NOT_REMOVED) {
      return false;
    }
    blocks.release(countKeepingSpace(place, removals, bytes, stripe), lengthBytes(place));
    return true;
  }

  private int lengthBytes(long place) {
    return locations.slotBytes(BlockIndex.locationOf(place)) - BlockIndex.slackOf(place);
  }

  private long countKeepingSpace(long place, Counter removals, Counter bytes, int stripe) {
    counters.add(stripe, removals, 1);
    counters.add(stripe, bytes, lengthBytes(place));
    return BlockIndex.locationOf(place);
  }
}
