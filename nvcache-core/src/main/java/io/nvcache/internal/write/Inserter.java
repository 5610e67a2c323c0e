// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.OfferResult;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.settings.WriteGovernor;
import io.nvcache.internal.space.BlockSpace;
import io.nvcache.internal.space.BlockStore;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.memory.BufferSum;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out an offer: asks admission, finds room, writes the bytes, and only then makes the block
 * visible, so that no reader can find a block that is not all there. No lock is held while the
 * medium is written.
 *
 * <pre>
 *   decide ──▶ insert ──▶ store ──▶ write ──▶ publish
 *      │          │         │         │          a block that goes no further
 *   refused   written    no room   failed        is refunded by insert
 *             elsewhere
 * </pre>
 */
public final class Inserter {
  private final BlockIndex index;
  private final FileTable files;
  private final BlockSpace blocks;
  private final BlockStore store;
  private final GuardedAdmission admission;
  private final WriteGovernor governor;
  private final Publication publication;
  private final StripedCounters counters;
  private final WriterLimit writers;
  private final WritesUnderWay underWay = new WritesUnderWay();
  private final boolean summed;
  private final int maxBlockBytes;

  public Inserter(
      BlockTables tables,
      BlockStore store,
      GuardedAdmission admission,
      WriteGovernor governor,
      Publication publication,
      StripedCounters counters) {
    this.index = tables.index();
    this.files = tables.files();
    this.blocks = tables.blocks();
    this.store = store;
    this.admission = admission;
    this.governor = governor;
    this.publication = publication;
    this.counters = counters;
    this.writers = new WriterLimit(store.maxConcurrentWriters());
    this.summed = index.keepsSums();
    this.maxBlockBytes = tables.locations().maxBlockBytes();
  }

  /**
   * Decides whether a block is worth a write. If so, {@link #insert} or {@link #refund} must
   * follow: admission may have charged its budget.
   *
   * @return why it is not; null if it is
   */
  @Nullable OfferResult decide(Offer offer) {
    if (offer.lengthBytes() > maxBlockBytes) {
      return OfferResult.TOO_LARGE;
    }
    int number = number(offer);
    boolean isCached =
        number != FileTable.NONE && isCached(publication.hash(number, offer.offset()));
    if (isCached || underWay.has(offer.fileId(), offer.offset())) {
      return OfferResult.ALREADY_CACHED;
    }
    return switch (admission.decide(offer)) {
      case ADMIT -> null;
      case BYPASS_SMALL -> OfferResult.BYPASSED_SMALL;
      case BYPASS_OVERHEAD -> OfferResult.BYPASSED_OVERHEAD;
      case NOT_WORTH_IT -> OfferResult.NOT_WORTH_IT;
    };
  }

  /**
   * Decides in the same way, and refuses what would have to wait for others' writes: most likely
   * that is still so when the block is laid out.
   */
  @Nullable OfferResult decideUnlessBusy(Offer offer) {
    OfferResult refusal = decide(offer);
    if (refusal == null && !writers.hasRoom()) {
      refund(offer);
      return OfferResult.MEDIUM_BUSY;
    }
    return refusal;
  }

  /** Takes back that a block is worth a write, since it is not inserted after all. */
  void refund(Offer offer) {
    admission.refund(offer);
  }

  /** Returns whether a block may be important, and makes room for it in their share. */
  boolean takesImportant(int lengthBytes) {
    return publication.takesImportant(lengthBytes);
  }

  /** Returns whether the background work is to make room. */
  boolean wantsRoom() {
    return store.wantsRoom();
  }

  /** Inserts a block that is worth a write, and may have come in by another way since. */
  OfferResult insert(Offer offer, ByteBuffer block) {
    OfferResult result = OfferResult.MEDIUM_FAILED;
    WritesUnderWay.Begun begun = underWay.begin(offer.fileId(), offer.offset());
    try {
      result =
          begun == WritesUnderWay.Begun.WRITTEN_ELSEWHERE
              ? OfferResult.ALREADY_CACHED
              : store(offer, block);
    } finally {
      if (begun == WritesUnderWay.Begun.NOTED) {
        underWay.end(offer.fileId(), offer.offset());
      }
      if (result != OfferResult.ADMITTED) {
        refund(offer);
      }
    }
    return result;
  }

  private int number(Offer offer) {
    return files.find(offer.fileId(), BucketLayout.segment(offer.offset()));
  }

  private boolean isCached(long hash) {
    return BlockIndex.slot(index.findHash(hash)) >= 0;
  }

  /** Finds room for a block, and writes it there. */
  private OfferResult store(Offer offer, ByteBuffer block) {
    int hintSlot = BlockStore.NO_HINT;
    int number = number(offer);
    if (number != FileTable.NONE) {
      long hash = publication.hash(number, offer.offset());
      if (isCached(hash)) { // By who wrote the block a moment ago.
        return OfferResult.ALREADY_CACHED;
      }
      hintSlot = publication.slotNear(hash, offer.offset());
    }
    if (!writers.tryBegin()) {
      return OfferResult.MEDIUM_BUSY;
    }
    try {
      // Taken once: what the caller does to the buffer during the call is its own affair.
      int position = block.position();
      int lengthBytes = offer.lengthBytes();
      checkLength(block.limit() - position, lengthBytes);
      int deviceBytes = store.deviceBytes(lengthBytes);
      if (!governor.tryCharge(deviceBytes)) { // Before a victim gives way for nothing.
        return OfferResult.BYPASSED_WRITE_LIMIT;
      }
      long location = BlockStore.NO_SPACE;
      try {
        location = store.allocate(lengthBytes, hintSlot, offer.stripe());
      } finally {
        if (location < 0) {
          governor.refund(deviceBytes);
        }
      }
      if (location < 0) {
        return location == BlockStore.BUSY ? OfferResult.MEDIUM_BUSY : OfferResult.NO_SPACE;
      }
      return write(offer, location, block, position);
    } finally {
      writers.end();
    }
  }

  /** Writes a block to the place that it was given, and makes it visible. */
  private OfferResult write(Offer offer, long location, ByteBuffer block, int position) {
    OfferResult result = OfferResult.MEDIUM_FAILED;
    boolean written = false;
    int number = FileTable.NONE;
    int lengthBytes = offer.lengthBytes();
    int stripe = offer.stripe();
    try {
      number = publication.begin(offer);
      if (number == FileTable.NONE) {
        result = OfferResult.NO_SPACE;
      } else {
        long hash = publication.hash(number, offer.offset());
        // Of the caller's bytes, not of what was written: a write that went wrong has to be seen.
        int sum = summed ? BufferSum.of(block, position, lengthBytes) : 0;
        written = store.put(location, hash, sum, block, position, lengthBytes, stripe);
        if (written) {
          result = publication.publish(offer, hash, location, sum);
        }
      }
    } finally {
      if (result != OfferResult.ADMITTED) {
        if (number != FileTable.NONE) {
          publication.abandon(number);
        }
        blocks.release(location, lengthBytes);
        counters.add(stripe, Counter.WASTED_BYTES, written ? lengthBytes : 0);
      }
      store.committed(location, lengthBytes);
    }
    return result;
  }

  static void checkLength(int lengthBytes, int announcedBytes) {
    if (lengthBytes != announcedBytes) {
      throw new IllegalArgumentException(
          "the block has "
              + lengthBytes
              + " bytes, but was announced with "
              + announcedBytes
              + "; give as many as announced");
    }
  }
}
