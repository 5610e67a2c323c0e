// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.control.DataSet;
import java.util.EnumMap;
import java.util.Map;

/**
 * A snapshot of a cache's counters and levels. Counters run from the building of the cache and are
 * exact once the counted calls have returned; a snapshot taken while calls run may catch one
 * between two of its counters.
 *
 * @param lookups calls of {@code get} and {@code pin}
 * @param hits lookups that found their block
 * @param hitBytes bytes of the blocks found
 * @param refusedPins lookups refused because leases hold all the bytes they may
 * @param contendedLookups lookups answered with a miss because writers kept the bucket busy
 * @param offers offers by outcome, in blocks
 * @param offersBySource offers by source, in blocks
 * @param admittedBytes bytes of the admitted blocks
 * @param evictions blocks evicted by the policy to make room
 * @param displacements blocks evicted because the index had no slot for a new one
 * @param rebalancings blocks evicted to give their extent to another size class
 * @param evictedBytes bytes of all blocks evicted, displaced or rebalanced away
 * @param invalidations blocks forgotten on the caller's word, singly or with their file
 * @param invalidatedBytes bytes of those
 * @param deferredEvictions evictions not done because overhead was over the target
 * @param mediumReadBytes bytes read from the medium
 * @param mediumWrittenBytes bytes written to the medium
 * @param mediumFailures reads and writes that the medium failed
 * @param blocks blocks that can be found now
 * @param blockBytes bytes of the blocks cached now; those of an invalidated file count until they
 *     are reclaimed, which takes moments
 * @param usedBytes bytes of the medium in use now, rounding included
 * @param capacityBytes bytes of the medium
 * @param pinnedBytes bytes held by leases now
 * @param metadataBytes bytes of DRAM taken by index, allocator and policies
 * @param overhead medium writes per lookup as the admission policy sees it, as a ratio; NaN when
 *     the policy keeps no such ratio
 * @param dataSetBytes what {@link DataSet#bytes} says
 */
public record CacheStats(
    long lookups,
    long hits,
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
    long mediumFailures,
    long blocks,
    long blockBytes,
    long usedBytes,
    long capacityBytes,
    long pinnedBytes,
    long metadataBytes,
    double overhead,
    long dataSetBytes) {

  /** Copies the maps, and puts a zero where an outcome or source is missing. */
  public CacheStats {
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

  /** Lookups that did not find their block, whatever the reason. */
  public long misses() {
    return lookups - hits;
  }

  /** Hits per lookup; 0 before the first lookup. */
  public double hitRatio() {
    return lookups == 0 ? 0 : (double) hits / lookups;
  }

  /** Offers with this outcome. */
  public long offers(OfferResult result) {
    return offers.getOrDefault(result, 0L);
  }

  /** Offers from this source. */
  public long offers(Source source) {
    return offersBySource.getOrDefault(source, 0L);
  }

  /** Blocks written to the medium per lookup; 0 before the first lookup. */
  public double writesPerLookup() {
    return lookups == 0 ? 0 : (double) offers(OfferResult.ADMITTED) / lookups;
  }
}
