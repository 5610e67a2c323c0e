// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import org.apache.hadoop.hbase.io.hfile.CacheStats;

/**
 * HBase's counters of one second-level cache. Hits and misses are counted by the adapter, once for
 * each read of HBase; evictions and failed inserts are the engine's own.
 *
 * <p>What admission refuses is no failed insert: only blocks that were wanted and found no room
 * are.
 */
final class NvCacheStats extends CacheStats {
  // HBase's status page turns caches into JSON by reflection; the engine must not be part of it.
  private final transient BlockCache cache;

  NvCacheStats(BlockCache cache) {
    super("NVCache");
    this.cache = cache;
  }

  @Override
  public long getEvictionCount() {
    return getEvictedCount();
  }

  @Override
  public long getEvictedCount() {
    io.nvcache.CacheStats stats = cache.stats();
    return stats.evictions() + stats.displacements() + stats.rebalancings();
  }

  @Override
  public long getFailedInserts() {
    io.nvcache.CacheStats stats = cache.stats();
    return super.getFailedInserts()
        + stats.offers(OfferResult.TOO_LARGE)
        + stats.offers(OfferResult.NO_SPACE)
        + stats.offers(OfferResult.MEDIUM_BUSY)
        + stats.offers(OfferResult.MEDIUM_FAILED);
  }
}
