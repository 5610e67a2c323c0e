// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.OfferResult;
import io.nvcache.admission.AdmissionDecision;
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
  @Nullable OfferResult decide(long fileId, long offset, int lengthBytes, Origin origin) {
    if (lengthBytes > maxBlockBytes) {
      return OfferResult.TOO_LARGE;
    }
    if (isCached(fileId, offset) || underWay.has(fileId, offset)) {
      return OfferResult.ALREADY_CACHED;
    }
    AdmissionDecision decision = origin.decide(admission, fileId, offset, lengthBytes);
    return switch (decision) {
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
  @Nullable OfferResult decideUnlessBusy(long fileId, long offset, int lengthBytes, Origin origin) {
    OfferResult refusal = decide(fileId, offset, lengthBytes, origin);
    if (refusal == null && !writers.hasRoom()) {
      refund(lengthBytes, origin);
      return OfferResult.MEDIUM_BUSY;
    }
    return refusal;
  }

  /** Takes back that a block is worth a write, since it is not inserted after all. */
  void refund(int lengthBytes, Origin origin) {
    origin.refund(admission, lengthBytes);
  }

  /** Returns whether the background work is to make room. */
  boolean wantsRoom() {
    return store.wantsRoom();
  }

  /** Inserts a block that is worth a write, and may have come in by another way since. */
  OfferResult insert(
      long fileId, long offset, int lengthBytes, ByteBuffer block, Origin origin, int stripe) {
    OfferResult result = OfferResult.MEDIUM_FAILED;
    WritesUnderWay.Begun begun = underWay.begin(fileId, offset);
    try {
      result =
          begun == WritesUnderWay.Begun.WRITTEN_ELSEWHERE
              ? OfferResult.ALREADY_CACHED
              : store(fileId, offset, lengthBytes, block, origin, stripe);
    } finally {
      if (begun == WritesUnderWay.Begun.NOTED) {
        underWay.end(fileId, offset);
      }
      if (result != OfferResult.ADMITTED) {
        refund(lengthBytes, origin);
      }
    }
    return result;
  }

  private boolean isCached(long fileId, long offset) {
    int number = files.find(fileId, BucketLayout.segment(offset));
    return number != FileTable.NONE && isCached(publication.hash(number, offset));
  }

  private boolean isCached(long hash) {
    return BlockIndex.slot(index.findHash(hash)) >= 0;
  }

  /** Finds room for a block, and writes it there. */
  private OfferResult store(
      long fileId, long offset, int lengthBytes, ByteBuffer block, Origin origin, int stripe) {
    int hintSlot = BlockStore.NO_HINT;
    int number = files.find(fileId, BucketLayout.segment(offset));
    if (number != FileTable.NONE) {
      long hash = publication.hash(number, offset);
      if (isCached(hash)) { // By who wrote the block a moment ago.
        return OfferResult.ALREADY_CACHED;
      }
      hintSlot = publication.slotNear(hash, offset);
    }
    if (!writers.tryBegin()) {
      return OfferResult.MEDIUM_BUSY;
    }
    try {
      // Taken once: what the caller does to the buffer during the call is its own affair.
      int position = block.position();
      checkLength(block.limit() - position, lengthBytes);
      int deviceBytes = store.deviceBytes(lengthBytes);
      if (!governor.tryCharge(deviceBytes)) { // Before a victim gives way for nothing.
        return OfferResult.BYPASSED_WRITE_LIMIT;
      }
      long location = store.allocate(lengthBytes, hintSlot, stripe);
      if (location < 0) {
        governor.refund(deviceBytes);
        return location == BlockStore.BUSY ? OfferResult.MEDIUM_BUSY : OfferResult.NO_SPACE;
      }
      return write(fileId, offset, location, block, position, lengthBytes, origin, stripe);
    } finally {
      writers.end();
    }
  }

  /** Writes a block to the place that it was given, and makes it visible. */
  private OfferResult write(
      long fileId,
      long offset,
      long location,
      ByteBuffer block,
      int position,
      int lengthBytes,
      Origin origin,
      int stripe) {
    OfferResult result = OfferResult.MEDIUM_FAILED;
    boolean written = false;
    int number = FileTable.NONE;
    try {
      number = publication.begin(fileId, offset);
      if (number == FileTable.NONE) {
        result = OfferResult.NO_SPACE;
      } else {
        long hash = publication.hash(number, offset);
        // Of the caller's bytes, not of what was written: a write that went wrong has to be seen.
        int sum = summed ? BufferSum.of(block, position, lengthBytes) : 0;
        written = store.put(location, hash, sum, block, position, lengthBytes, stripe);
        if (written) {
          result = publication.publish(hash, offset, location, lengthBytes, sum, origin, stripe);
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
