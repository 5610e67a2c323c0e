// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import io.nvcache.CacheStats;
import org.jspecify.annotations.Nullable;

/** The values of a {@link TieredStats}, which documents them. */
record TieredSnapshot(
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
    long heapBlocksForWantOfDirect,
    @Nullable CacheStats secondTier)
    implements TieredStats {}
