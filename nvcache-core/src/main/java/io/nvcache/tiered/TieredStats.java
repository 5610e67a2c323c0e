// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import io.nvcache.CacheStats;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of what a {@link TieredBlockCache} counted since it was built, and of its levels.
 *
 * <p>The library makes these. A later version may add methods.
 */
public interface TieredStats {
  /** Returns the number of lookups answered by the DRAM tier. */
  long dramHits();

  /** Returns the number of lookups that the DRAM tier did not answer. */
  long dramMisses();

  /** Returns the number of blocks evicted from the DRAM tier. */
  long dramEvictions();

  /** Returns the number of bytes of these blocks, overhead included. */
  long dramEvictedBytes();

  /** Returns about how many blocks the DRAM tier holds now. */
  long dramBlocks();

  /** Returns the number of bytes that the DRAM tier holds now, overhead included. */
  long dramBytes();

  /** Returns the number of bytes that the DRAM tier may hold. */
  long dramMaxBytes();

  /** Returns the number of lookups that waited for another caller's load of the same block. */
  long joinedLoads();

  /**
   * Returns the number of lookups that loaded a block for themselves and kept nothing, because it
   * was being offered or invalidated, because they came from a loader while another thread loaded
   * it, or because that took too long.
   */
  long separateLoads();

  /** Returns the number of calls of the loader. */
  long loads();

  /** Returns the number of calls of the loader that threw. */
  long loadFailures();

  /** Returns the number of bytes that the loader read. */
  long loadedBytes();

  /**
   * Returns the number of offers turned away because the same block was in flight; the second tier
   * has not seen them.
   */
  long busyOffers();

  /**
   * Returns the number of blocks that were read into heap buffers although {@link
   * DramValues#DIRECT} was wanted, because evicted blocks that were not collected yet took all
   * direct memory of the tier.
   */
  default long heapBlocksForWantOfDirect() {
    return 0;
  }

  /** Returns the second tier's own counts; {@code null} without one. */
  @Nullable CacheStats secondTier();

  /** Returns the number of calls of {@code get}. */
  default long lookups() {
    return dramHits() + dramMisses();
  }

  /** Returns the number of DRAM hits per lookup; 0 before the first lookup. */
  default double dramHitRatio() {
    return lookups() == 0 ? 0 : (double) dramHits() / lookups();
  }

  /** Returns the number of calls of the loader per lookup; 0 before the first lookup. */
  default double loadRatio() {
    return lookups() == 0 ? 0 : (double) loads() / lookups();
  }
}
