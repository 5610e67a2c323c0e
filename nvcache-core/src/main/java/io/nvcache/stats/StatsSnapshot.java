// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The values of a {@link CacheStats}, which documents them. */
public record StatsSnapshot(
    long lookups,
    long hits,
    long misses,
    long hitBytes,
    long refusedPins,
    long contendedLookups,
    Map<OfferResult, Long> offers,
    Map<Source, Long> offersBySource,
    long admittedBytes,
    long evictions,
    long displacements,
    long rebalancings,
    long evictedBytes,
    long invalidations,
    long invalidatedBytes,
    long deferredEvictions,
    long mediumReadBytes,
    long mediumWrittenBytes,
    long deviceWrittenBytes,
    long reinsertions,
    long reinsertedBytes,
    long restoredBlocks,
    long restoredBytes,
    long discardedRegions,
    long discardedBytes,
    long discardFailures,
    long mediumFailures,
    long blocks,
    long blockBytes,
    long usedBytes,
    long capacityBytes,
    long pinnedBytes,
    long metadataBytes,
    OptionalDouble overhead,
    OptionalLong dataSetBytes,
    String copyOrder)
    implements CacheStats {

  /** Copies the maps, and puts a zero where an entry is missing. */
  public StatsSnapshot {
    Map<OfferResult, Long> byResult = new EnumMap<>(OfferResult.class);
    for (OfferResult result : OfferResult.values()) {
      byResult.put(result, offers.getOrDefault(result, 0L));
    }
    offers = Map.copyOf(byResult);
    Map<Source, Long> bySource = new EnumMap<>(Source.class);
    for (Source source : Source.values()) {
      bySource.put(source, offersBySource.getOrDefault(source, 0L));
    }
    offersBySource = Map.copyOf(bySource);
  }
}
