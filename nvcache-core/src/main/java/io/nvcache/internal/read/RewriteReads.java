// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.control.MissReason;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Looks blocks up for rewrites of their files: copies them and asks the policies how often they
 * were looked up lately, and changes nothing by it. A block that can't be read, or is not what was
 * written, is left to the next lookup. Called inside the gate.
 */
public final class RewriteReads {
  private final Policies policies;
  private final MediumGuard guard;
  private final StripedCounters counters;
  private final CopyRead copies;

  public RewriteReads(
      BlockTables tables,
      Policies policies,
      BlockReads reads,
      MediumGuard guard,
      StripedCounters counters) {
    this.policies = policies;
    this.guard = guard;
    this.counters = counters;
    this.copies = new CopyRead(tables, reads);
  }

  /** What a rewrite learns of a block that it reads. */
  public static final class Found {
    private @Nullable ByteBuffer copy;
    private double heat;

    /** The slot of the index whose block is read. */
    private int slot;

    /** Returns the recent lookups of the block, whether it is cached or not. */
    public double heat() {
      return heat;
    }

    /** Returns the block's length, 0 if it is not cached. */
    public int lengthBytes() {
      return copy == null ? 0 : copy.capacity();
    }

    /** Returns the block; null if it is not cached. */
    public @Nullable PinnedBlock block() {
      return copy == null ? null : new CopyPin(copy);
    }
  }

  /** Reads a block. */
  public Found read(long fileId, long offset, int stripe) {
    Found found = new Found();
    int length =
        guard.isOut()
            ? BlockCache.MISS
            : copies.read(fileId, offset, BlockReads.WHOLE, found, stripe);
    if (length == BlockCache.MISS) {
      found.copy = null;
      found.heat = policies.admission().recentMisses(fileId, offset);
    } else {
      found.heat = policies.eviction().recentHits(found.slot);
    }
    count(found.copy, stripe);
    return found;
  }

  private void count(@Nullable ByteBuffer copy, int stripe) {
    if (copy == null) {
      counters.add(stripe, Counter.REWRITE_MISSES, 1);
    } else {
      counters.add(stripe, Counter.REWRITE_HITS, 1);
      counters.add(stripe, Counter.REWRITE_HIT_BYTES, copy.capacity());
    }
  }

  /** Copies a block, and notes the slot of its entry. */
  private static final class CopyRead extends ValidatedRead<Found> {
    private final BlockReads reads;

    CopyRead(BlockTables tables, BlockReads reads) {
      super(tables);
      this.reads = reads;
    }

    @Override
    int take(int slot, long location, int length, int from, Found found) {
      ByteBuffer copy = ByteBuffer.allocate(length);
      found.copy = copy;
      return reads.copy(slot, location, length, from, copy);
    }

    @Override
    int accept(int copied, int slot, long location, int length, int from, Found found, int stripe) {
      found.slot = slot;
      return copied == length ? length : BlockCache.MISS;
    }

    @Override
    int missed(MissReason reason, int stripe) {
      return BlockCache.MISS;
    }
  }
}
