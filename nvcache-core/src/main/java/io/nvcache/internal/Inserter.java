// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.Checksum;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.memory.BufferSum;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out an offer: asks admission, finds room, writes the bytes, and only then makes the block
 * visible, so that no reader can find a block that is not all there. No lock is held while the
 * medium is written.
 */
final class Inserter {
  /**
   * Victims asked for before an insert gives up. A victim frees the space of its own slot, which
   * may not be what is wanted; it is then spared.
   */
  private static final int MAX_VICTIMS = 16;

  private static final long GOLDEN_RATIO = 0x9e3779b97f4a7c15L;

  /** In place of a slot to look for a victim near to. */
  private static final int NOWHERE = -1;

  /** The same, of a block that is there already. */
  private static final int CACHED = -2;

  private static final int MAX_DISPLACEMENTS = BlockIndex.CANDIDATES;

  private final BlockIndex index;
  private final Allocator allocator;
  private final FileTable files;
  private final Space space;
  private final GuardedAdmission admission;
  private final GuardedEviction eviction;
  private final Remover remover;
  private final StripedCounters counters;
  private final BlockIndex.SlotListener listener;
  private final Thresholds thresholds;
  private final WriterLimit writers;
  private final WriteGovernor governor;
  private final Failures mediumFailures;
  private final boolean summed;
  private final int maxBlockBytes;

  Inserter(
      EngineParts parts,
      Remover remover,
      BlockIndex.SlotListener listener,
      Failures mediumFailures) {
    this.index = parts.index();
    this.allocator = parts.allocator();
    this.files = parts.files();
    this.space = parts.space();
    this.admission = parts.admission();
    this.eviction = parts.eviction();
    this.counters = parts.counters();
    this.writers = new WriterLimit(parts.space().medium().writeCost().maxConcurrentWriters());
    this.governor = new WriteGovernor(parts.thresholds(), parts.nanoTime());
    this.maxBlockBytes = parts.maxBlockBytes();
    this.thresholds = parts.thresholds();
    this.mediumFailures = mediumFailures;
    this.summed = parts.guards().checksum() == Checksum.CRC32C;
    this.remover = remover;
    this.listener = listener;
  }

  /** Offers a block that is laid out. */
  OfferResult offer(
      long fileId, long offset, int lengthBytes, ByteBuffer block, Source source, int stripe) {
    if (lengthBytes > maxBlockBytes) {
      return OfferResult.TOO_LARGE;
    }
    int near = near(fileId, offset);
    if (near == CACHED) {
      return OfferResult.ALREADY_CACHED;
    }
    OfferResult refusal = judge(fileId, offset, lengthBytes, source);
    return refusal == null ? admit(fileId, offset, lengthBytes, block, near, stripe) : refusal;
  }

  /**
   * Whether a block is worth laying out: the reason why not, or null if admission said yes. Then
   * {@link #insert} or {@link #takeBack} must follow.
   */
  @Nullable OfferResult refusal(long fileId, long offset, int lengthBytes, Source source) {
    if (lengthBytes > maxBlockBytes) {
      return OfferResult.TOO_LARGE;
    }
    if (near(fileId, offset) == CACHED) {
      return OfferResult.ALREADY_CACHED;
    }
    OfferResult refusal = judge(fileId, offset, lengthBytes, source);
    if (refusal == null && !writers.hasRoom()) { // Most likely still so when it is laid out.
      takeBack(lengthBytes);
      return OfferResult.MEDIUM_BUSY;
    }
    return refusal;
  }

  /** Inserts a block that was not refused, and may have come in by another way meanwhile. */
  OfferResult insert(long fileId, long offset, int lengthBytes, ByteBuffer block, int stripe) {
    int near = near(fileId, offset);
    if (near == CACHED) {
      takeBack(lengthBytes);
      return OfferResult.ALREADY_CACHED;
    }
    return admit(fileId, offset, lengthBytes, block, near, stripe);
  }

  /** A block that was not refused is not inserted after all. */
  void takeBack(int lengthBytes) {
    admission.notAdmitted(lengthBytes);
  }

  /** A slot to look for a victim near to, {@link #NOWHERE} or {@link #CACHED}. */
  private int near(long fileId, long offset) {
    int number = files.find(fileId, BucketLayout.segment(offset));
    if (number == FileTable.NONE) {
      return NOWHERE;
    }
    long hash = index.hash(BucketLayout.key(number, offset));
    if (BlockIndex.slot(index.findHash(hash)) >= 0) {
      return CACHED;
    }
    return index.firstSlot(hash) + (turn(offset) & (BucketLayout.SLOTS - 1));
  }

  /** What admission has against a block; null if nothing. */
  private @Nullable OfferResult judge(long fileId, long offset, int lengthBytes, Source source) {
    return switch (admission.decide(fileId, offset, lengthBytes, source)) {
      case ADMIT -> null;
      case BYPASS_SMALL -> OfferResult.BYPASSED_SMALL;
      case BYPASS_OVERHEAD -> OfferResult.BYPASSED_OVERHEAD;
      case NOT_WORTH_IT -> OfferResult.NOT_WORTH_IT;
    };
  }

  private OfferResult admit(
      long fileId, long offset, int lengthBytes, ByteBuffer block, int near, int stripe) {
    OfferResult result = OfferResult.MEDIUM_FAILED;
    try {
      result = store(fileId, offset, lengthBytes, block, near, stripe);
    } finally {
      if (result != OfferResult.ADMITTED) {
        takeBack(lengthBytes);
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
      // Taken once: what the caller does to the buffer meanwhile is its own affair.
      int position = bytes.position();
      checkLength(bytes.limit() - position, lengthBytes);
      if (!governor.tryCharge(lengthBytes)) { // Before a victim gives way for nothing.
        return OfferResult.BYPASSED_WRITE_LIMIT;
      }
      long location = allocate(lengthBytes, near, stripe);
      if (location == Allocator.NO_SPACE) {
        governor.takeBack(lengthBytes);
        return OfferResult.NO_SPACE;
      }
      OfferResult result = OfferResult.MEDIUM_FAILED;
      boolean written = false;
      try {
        // Of the caller's bytes, not of what was written: a write that went wrong has to be seen.
        int sum = summed ? BufferSum.of(bytes, position, lengthBytes) : 0;
        written = write(location, bytes, position, lengthBytes, stripe);
        if (written) {
          result = publish(fileId, offset, location, lengthBytes, sum, stripe);
        }
      } finally {
        if (result != OfferResult.ADMITTED) {
          allocator.release(location);
          counters.add(stripe, Counter.WASTED_BYTES, written ? lengthBytes : 0);
        }
      }
      return result;
    } finally {
      writers.end();
    }
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

  private long allocate(int lengthBytes, int near, int stripe) {
    long location = allocator.allocate(lengthBytes);
    boolean gaveWay = false;
    boolean spared = false;
    for (int i = 0; location == Allocator.NO_SPACE && i < MAX_VICTIMS; i++) {
      int victim = victim(i == 0 ? near : NOWHERE);
      if (victim == EvictionPolicy.NO_VICTIM) {
        break;
      }
      if (allocator.spares(index.location(victim), lengthBytes)) {
        spared = true;
        continue;
      }
      long freed = remover.evictKeepingSpace(victim, stripe);
      if (freed != BlockIndex.NOT_REMOVED) {
        gaveWay = true;
        location = reallocate(freed, lengthBytes);
      }
    }
    if (location == Allocator.NO_SPACE) {
      if (gaveWay || isFragmented()) {
        allocator.starve(lengthBytes);
      } else if (spared) {
        allocator.starveForSpared(lengthBytes);
      }
    }
    return location;
  }

  /** The victim's own space if it suits; else whatever its release makes room for. */
  private long reallocate(long freed, int lengthBytes) {
    if (allocator.suits(freed, lengthBytes)) {
      return freed;
    }
    allocator.release(freed);
    return allocator.allocate(lengthBytes);
  }

  /** Of the slots that the key may lie in, the one whose block is worth the least to the policy. */
  private int leastWorth(long hash, int start) {
    int least = index.candidateSlot(hash, start);
    int leastWorth = eviction.worth(least);
    for (int turn = start + 1; turn < start + BlockIndex.CANDIDATES; turn++) {
      int candidate = index.candidateSlot(hash, turn);
      int worth = eviction.worth(candidate);
      if (worth < leastWorth) {
        least = candidate;
        leastWorth = worth;
      }
    }
    return least;
  }

  /** Not from the same slot each time, lest one slot of a bucket take all the loss. */
  private static int turn(long offset) {
    return (int) ((offset * GOLDEN_RATIO) >>> (Long.SIZE - Byte.SIZE));
  }

  /** No room, though a policy that goes by the fill level sees no reason to evict. */
  private boolean isFragmented() {
    return allocator.isBelow(thresholds.fullTarget());
  }

  private int victim(int near) {
    int victim = near == NOWHERE ? eviction.victim() : eviction.victim(near);
    return victim >= 0 && victim < index.slots() ? victim : EvictionPolicy.NO_VICTIM;
  }

  private boolean write(
      long location, ByteBuffer block, int position, int lengthBytes, int stripe) {
    ByteBuffer unmoved = space.unmovedForWrite(block, position);
    try {
      space.write(location, unmoved, position, lengthBytes);
      counters.add(stripe, Counter.MEDIUM_WRITTEN_BYTES, lengthBytes);
      return true;
    } catch (IOException | RuntimeException | Error failure) {
      // A broken medium is a full one.
      mediumFailures.writeFailed(failure, stripe);
      return false;
    }
  }

  private OfferResult publish(
      long fileId, long offset, long location, int lengthBytes, int sum, int stripe) {
    int number = files.acquire(fileId, BucketLayout.segment(offset));
    if (number == FileTable.NONE) {
      return OfferResult.NO_SPACE;
    }
    long hash = index.hash(BucketLayout.key(number, offset));
    int slack = allocator.slotBytes(location) - lengthBytes;
    int slot = BlockIndex.FULL;
    try {
      slot = index.insertHash(hash, location, slack, sum, listener);
      for (int i = 0; slot == BlockIndex.FULL && i < MAX_DISPLACEMENTS; i++) {
        int turn = turn(offset) + i;
        int least = i == 0 ? leastWorth(hash, turn) : index.candidateSlot(hash, turn);
        if (remover.evict(least, Counter.DISPLACEMENTS, stripe)) {
          slot = index.insertHash(hash, location, slack, sum, listener);
        }
      }
    } finally {
      if (slot < 0) { // An error among the reasons.
        files.release(number);
      }
    }
    if (slot >= 0) {
      counters.add(stripe, Counter.ADMITTED_BYTES, lengthBytes);
      return OfferResult.ADMITTED;
    }
    return slot == BlockIndex.DUPLICATE ? OfferResult.ALREADY_CACHED : OfferResult.NO_SPACE;
  }
}
