// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import io.nvcache.CacheStats;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of what a {@link TieredBlockCache} counted since it was built, and of its levels.
 *
 * @param dramHits lookups answered by the DRAM tier
 * @param dramMisses lookups that went past it
 * @param dramEvictions blocks evicted from it
 * @param dramEvictedBytes their bytes, overhead included
 * @param dramBlocks about how many blocks it holds now
 * @param dramBytes bytes it holds now, overhead included
 * @param dramMaxBytes bytes it may hold
 * @param joinedLoads lookups that waited for another caller's load of the same block
 * @param separateLoads lookups that loaded a block for themselves and kept nothing, because it was
 *     being offered or invalidated, because they came from a loader while another thread loaded it,
 *     or because that took too long
 * @param loads calls of the loader
 * @param loadFailures calls of the loader that threw
 * @param loadedBytes bytes that the loader read
 * @param busyOffers offers turned away because the same block was in flight; the second tier has
 *     not seen them
 * @param secondTier the second tier's own counts; {@code null} without one
 */
public record TieredStats(
    long dramHits,
    long dramMisses,
    long dramEvictions,
    long dramEvictedBytes,
    long dramBlocks,
    long dramBytes,
    long dramMaxBytes,
    long joinedLoads,
    long separateLoads,
    long loads,
    long loadFailures,
    long loadedBytes,
    long busyOffers,
    @Nullable CacheStats secondTier) {

  /** Calls of {@code get}. */
  public long lookups() {
    return dramHits + dramMisses;
  }

  /** DRAM hits per lookup; 0 before the first lookup. */
  public double dramHitRatio() {
    return lookups() == 0 ? 0 : (double) dramHits / lookups();
  }

  /** Calls of the loader per lookup; 0 before the first lookup. */
  public double loadRatio() {
    return lookups() == 0 ? 0 : (double) loads / lookups();
  }
}
