// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.OfferResult;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;

/**
 * Makes a block that is written visible: enters it into the index. Where both buckets that its key
 * may lie in are full, the block there that is worth the least to the eviction policy makes room.
 */
public final class Publication {
  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;
  private static final int MAX_DISPLACEMENTS = BlockIndex.CANDIDATES;

  private final BlockIndex index;
  private final FileTable files;
  private final LocationCodec locations;
  private final GuardedEviction eviction;
  private final Remover remover;
  private final BlockIndex.SlotListener listener;
  private final StripedCounters counters;

  public Publication(
      BlockTables tables,
      GuardedEviction eviction,
      Remover remover,
      BlockIndex.SlotListener listener,
      StripedCounters counters) {
    this.index = tables.index();
    this.files = tables.files();
    this.locations = tables.locations();
    this.eviction = eviction;
    this.remover = remover;
    this.listener = listener;
    this.counters = counters;
  }

  /**
   * Counts a block that is about to be published under its file's number. Then {@link #publish} or
   * {@link #abandon} must follow.
   *
   * @return the number, or {@link FileTable#NONE} if there is none for the file
   */
  int begin(Offer offer) {
    return files.acquire(offer.fileId(), BucketLayout.segment(offer.offset()));
  }

  /** Returns what the block is found by. */
  long hash(int number, long offset) {
    return index.hash(BucketLayout.key(number, offset));
  }

  /** Returns a slot of the index that an insertion of the block will look at anyway. */
  int slotNear(long hash, long offset) {
    return index.firstSlot(hash) + (startIndex(offset) & (BucketLayout.SLOTS - 1));
  }

  /** A block that was counted is not published. */
  void abandon(int number) {
    files.release(number);
  }

  /** Enters the block at a location; what is refused leaves its space to the caller. */
  OfferResult publish(Offer offer, long hash, long location, int sum) {
    long offset = offer.offset();
    int lengthBytes = offer.lengthBytes();
    int stripe = offer.stripe();
    int slack = locations.slotBytes(location) - lengthBytes;
    BlockIndex.SlotListener hears =
        offer.isImportant() ? new Marking(listener, eviction, lengthBytes) : listener;
    BlockIndex.Insertion result = index.insertHash(hash, location, slack, sum, hears);
    for (int i = 0; result == BlockIndex.Insertion.FULL && i < MAX_DISPLACEMENTS; i++) {
      int start = startIndex(offset) + i;
      int least = i == 0 ? leastWorth(hash, start) : index.candidateSlot(hash, start);
      if (remover.evict(least, Counter.DISPLACEMENTS, stripe)) {
        result = index.insertHash(hash, location, slack, sum, hears);
      }
    }
    if (result == BlockIndex.Insertion.DONE) {
      counters.add(stripe, Counter.ADMITTED_BYTES, lengthBytes);
    }
    return switch (result) {
      case DONE -> OfferResult.ADMITTED;
      case DUPLICATE -> OfferResult.ALREADY_CACHED;
      case FULL -> OfferResult.NO_SPACE;
    };
  }

  /** Returns whether a block may be important, and makes room for it in their share. */
  boolean takesImportant(int lengthBytes) {
    return eviction.important().accepts(lengthBytes);
  }

  /** Marks an important block as it is put into its slot, inside the lock of the bucket. */
  private record Marking(BlockIndex.SlotListener others, GuardedEviction eviction, int lengthBytes)
      implements BlockIndex.SlotListener {
    @Override
    public void inserted(int slot) {
      others.inserted(slot);
      eviction.important().mark(slot, lengthBytes);
    }

    @Override
    public void removed(int slot, long key) {
      others.removed(slot, key);
    }
  }

  /** Returns the slot that the key may lie in whose block is worth the least to the policy. */
  private int leastWorth(long hash, int start) {
    int least = index.candidateSlot(hash, start);
    int leastWorth = eviction.worth(least);
    for (int i = start + 1; i < start + BlockIndex.CANDIDATES; i++) {
      int candidate = index.candidateSlot(hash, i);
      int worth = eviction.worth(candidate);
      if (worth < leastWorth) {
        least = candidate;
        leastWorth = worth;
      }
    }
    return least;
  }

  /**
   * Returns a slot to begin with, which differs by block: no slot of a bucket takes all the loss.
   */
  private static int startIndex(long offset) {
    return (int) ((offset * GOLDEN_RATIO) >>> (Long.SIZE - Byte.SIZE));
  }
}
