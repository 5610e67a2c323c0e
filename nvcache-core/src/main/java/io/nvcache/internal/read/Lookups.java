// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.control.MissReason;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.remove.MediumFailureHandler;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;

/**
 * Finds blocks and copies them out. Counts why it missed, but neither lookups nor hits.
 *
 * <p>The target's position moves only when the entry was unchanged: bytes of one that changed are
 * overwritten by the next attempt, or stay behind the position.
 */
public final class Lookups extends ValidatedRead<ByteBuffer> {
  private final StripedCounters counters;
  private final Visits visits;
  private final GuardedEviction eviction;
  private final BlockReads reads;
  private final MediumFailureHandler mediumFailures;
  private final BatchLookups ofBatches;

  public Lookups(
      BlockTables tables,
      GuardedEviction eviction,
      StripedCounters counters,
      Visits visits,
      BlockReads reads,
      MediumFailureHandler mediumFailures) {
    super(tables);
    this.counters = counters;
    this.visits = visits;
    this.eviction = eviction;
    this.reads = reads;
    this.mediumFailures = mediumFailures;
    this.ofBatches = new BatchLookups(tables, this, reads);
  }

  /** Returns those that copy blocks which were read ahead, and are the same otherwise. */
  BatchLookups ofBatches() {
    return ofBatches;
  }

  /**
   * Copies a block, or a part of it, and moves the buffer's position by as much.
   *
   * @param from the block's byte to begin with, or {@link BlockReads#WHOLE}
   * @return how many bytes, or {@link BlockCache#MISS}
   */
  int copy(long fileId, long offset, int from, ByteBuffer dst, int stripe) {
    return read(fileId, offset, from, dst, stripe);
  }

  @Override
  int take(int slot, long location, int length, int from, ByteBuffer dst) {
    return reads.copy(slot, location, length, from, dst);
  }

  @Override
  void undo(int copied, long location, int stripe) {
    if (copied > 0) {
      counters.add(stripe, Counter.TORN_READ_BYTES, copied);
    }
  }

  @Override
  int accept(
      int copied, int slot, long location, int length, int from, ByteBuffer dst, int stripe) {
    if (copied < 0) {
      RuntimeException refusal = BlockReads.refusal(copied, from, length, dst.remaining());
      if (refusal != null) {
        missed(MissReason.INVALID_CALL, stripe);
        throw refusal;
      }
      mediumFailures.readFailed(copied, slot, location, length, stripe);
      return BlockCache.MISS;
    }
    if (from == BlockReads.WHOLE || visits.found(dst.remaining() - copied, length, stripe)) {
      touch(slot);
    }
    dst.position(dst.position() + copied);
    return copied;
  }

  /** Counts a miss by its reason. */
  @Override
  int missed(MissReason reason, int stripe) {
    counters.add(stripe, Counter.of(reason), 1);
    return BlockCache.MISS;
  }

  /** Reports a hit to the eviction policy. */
  void touch(int slot) {
    eviction.onHit(slot);
  }
}
