// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.OfferResult;
import io.nvcache.Source;
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
 */
public final class Inserter {
  /** In place of a slot to look for a victim near to: the block is there already. */
  private static final int CACHED = -2;

  /** In place of the heat that a rewrite carries: admission goes by the block and its source. */
  static final double NO_HEAT = -1;

  /** The same, and the block was offered before for the same visit. */
  static final double OFFERED_AGAIN = -2;

  private final BlockIndex index;
  private final BlockStore store;
  private final BlockSpace blocks;
  private final FileTable files;
  private final GuardedAdmission admission;
  private final StripedCounters counters;
  private final WriterLimit writers;
  private final WritesUnderWay underWay = new WritesUnderWay();
  private final WriteGovernor governor;
  private final Publication publication;
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
    this.blocks = tables.blocks();
    this.files = tables.files();
    this.store = store;
    this.admission = admission;
    this.counters = counters;
    this.writers = new WriterLimit(store.maxConcurrentWriters());
    this.governor = governor;
    this.publication = publication;
    this.summed = index.keepsSums();
    this.maxBlockBytes = tables.locations().maxBlockBytes();
  }

  /** Offers a block that is laid out. */
  OfferResult offer(
      long fileId,
      long offset,
      int lengthBytes,
      ByteBuffer block,
      Source source,
      double heat,
      int stripe) {
    if (lengthBytes > maxBlockBytes) {
      return OfferResult.TOO_LARGE;
    }
    int near = near(fileId, offset);
    if (near == CACHED || underWay.has(fileId, offset)) {
      return OfferResult.ALREADY_CACHED;
    }
    OfferResult refusal = refusal(decide(fileId, offset, lengthBytes, source, heat));
    return refusal == null
        ? admit(fileId, offset, lengthBytes, block, near, source, heat, stripe)
        : refusal;
  }

  private AdmissionDecision decide(
      long fileId, long offset, int lengthBytes, Source source, double heat) {
    if (heat == NO_HEAT) {
      return admission.decide(fileId, offset, lengthBytes, source);
    }
    return heat == OFFERED_AGAIN
        ? admission.decideAgain(fileId, offset, lengthBytes, source)
        : admission.decideCarried(fileId, offset, lengthBytes, heat);
  }

  /**
   * Returns the reason why a block is not worth a write, or null if admission said yes. Then {@link
   * #insert} or {@link #takeBack} must follow.
   *
   * @param heat the lookups that an output block of a rewrite is expected to have had lately;
   *     {@link #NO_HEAT} or {@link #OFFERED_AGAIN} of other blocks
   */
  @Nullable OfferResult refusal(
      long fileId, long offset, int lengthBytes, Source source, double heat) {
    OfferResult refusal = refusal(fileId, offset, lengthBytes);
    return refusal == null
        ? unlessBusy(decide(fileId, offset, lengthBytes, source, heat), lengthBytes, source, heat)
        : refusal;
  }

  /** Returns what the block itself has against it; null if nothing. */
  private @Nullable OfferResult refusal(long fileId, long offset, int lengthBytes) {
    if (lengthBytes > maxBlockBytes) {
      return OfferResult.TOO_LARGE;
    }
    return near(fileId, offset) == CACHED || underWay.has(fileId, offset)
        ? OfferResult.ALREADY_CACHED
        : null;
  }

  private @Nullable OfferResult unlessBusy(
      AdmissionDecision decision, int lengthBytes, Source source, double heat) {
    OfferResult refusal = refusal(decision);
    if (refusal == null && !writers.hasRoom()) { // Most likely still so when it is laid out.
      takeBack(lengthBytes, source, heat);
      return OfferResult.MEDIUM_BUSY;
    }
    return refusal;
  }

  /** Inserts a block that was not refused, and may have come in by another way since. */
  OfferResult insert(
      long fileId,
      long offset,
      int lengthBytes,
      ByteBuffer block,
      Source source,
      double heat,
      int stripe) {
    int near = near(fileId, offset);
    if (near == CACHED) {
      takeBack(lengthBytes, source, heat);
      return OfferResult.ALREADY_CACHED;
    }
    return admit(fileId, offset, lengthBytes, block, near, source, heat, stripe);
  }

  /** Takes back that a block was not refused, since it is not inserted after all. */
  void takeBack(int lengthBytes, Source source, double heat) {
    if (heat < 0) {
      admission.notAdmitted(lengthBytes, source);
    } else {
      admission.carriedNotAdmitted(lengthBytes);
    }
  }

  /** Returns whether the background work is to make room. */
  boolean wantsRoom() {
    return store.wantsRoom();
  }

  /** Returns a slot to look for a victim near to, {@link BlockStore#NO_HINT} or {@link #CACHED}. */
  private int near(long fileId, long offset) {
    int number = files.find(fileId, BucketLayout.segment(offset));
    if (number == FileTable.NONE) {
      return BlockStore.NO_HINT;
    }
    long hash = index.hash(BucketLayout.key(number, offset));
    if (BlockIndex.slot(index.findHash(hash)) >= 0) {
      return CACHED;
    }
    return index.firstSlot(hash) + (Publication.turn(offset) & (BucketLayout.SLOTS - 1));
  }

  /** Returns what admission has against a block; null if nothing. */
  private static @Nullable OfferResult refusal(AdmissionDecision decision) {
    return switch (decision) {
      case ADMIT -> null;
      case BYPASS_SMALL -> OfferResult.BYPASSED_SMALL;
      case BYPASS_OVERHEAD -> OfferResult.BYPASSED_OVERHEAD;
      case NOT_WORTH_IT -> OfferResult.NOT_WORTH_IT;
    };
  }

  private OfferResult admit(
      long fileId,
      long offset,
      int lengthBytes,
      ByteBuffer block,
      int near,
      Source source,
      double heat,
      int stripe) {
    OfferResult result = OfferResult.MEDIUM_FAILED;
    int place = underWay.begin(fileId, offset);
    try {
      // Asked once more: who wrote the block a moment ago may be ready by now.
      result =
          place == WritesUnderWay.WRITTEN || near(fileId, offset) == CACHED
              ? OfferResult.ALREADY_CACHED
              : store(fileId, offset, lengthBytes, block, near, stripe);
    } finally {
      underWay.end(place);
      if (result != OfferResult.ADMITTED) {
        takeBack(lengthBytes, source, heat);
      }
    }
    return result;
  }

  private OfferResult store(
      long fileId, long offset, int lengthBytes, ByteBuffer bytes, int near, int stripe) {
    if (!writers.tryBegin()) {
      return OfferResult.MEDIUM_BUSY;
    }
    try {
      // Taken once: what the caller does to the buffer during the call is its own affair.
      int position = bytes.position();
      checkLength(bytes.limit() - position, lengthBytes);
      int deviceBytes = store.deviceBytes(lengthBytes);
      if (!governor.tryCharge(deviceBytes)) { // Before a victim gives way for nothing.
        return OfferResult.BYPASSED_WRITE_LIMIT;
      }
      long location = store.allocate(lengthBytes, near, stripe);
      if (location < 0) {
        governor.refund(deviceBytes);
        return location == BlockStore.BUSY ? OfferResult.MEDIUM_BUSY : OfferResult.NO_SPACE;
      }
      return store(fileId, offset, location, bytes, position, lengthBytes, stripe);
    } finally {
      writers.end();
    }
  }

  private OfferResult store(
      long fileId,
      long offset,
      long location,
      ByteBuffer bytes,
      int position,
      int lengthBytes,
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
        int sum = summed ? BufferSum.of(bytes, position, lengthBytes) : 0;
        written = store.put(location, hash, bytes, position, lengthBytes, stripe);
        if (written) {
          result = publication.publish(hash, offset, location, lengthBytes, sum, stripe);
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
