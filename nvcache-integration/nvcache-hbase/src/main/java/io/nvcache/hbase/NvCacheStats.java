// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.io.hfile.CacheStats;

/**
 * HBase's counters of one second-level cache. A miss is counted once for each read of HBase; one
 * that waited for another read of the block is a miss, and then a hit, as with HBase's own caches.
 * Evictions and failed inserts are the engine's own.
 *
 * <p>What admission refuses is no failed insert: only blocks that were wanted and found no room, or
 * no medium that takes them, are. A block that was not the one written counts as a miss, and next
 * to that as corrupt.
 */
final class NvCacheStats extends CacheStats {
  // HBase's status page turns caches into JSON by reflection; the engine must not be part of it.
  private final transient BlockCache cache;
  private final transient LongAdder corruptBlocks = new LongAdder();

  NvCacheStats(BlockCache cache) {
    super("NVCache");
    this.cache = cache;
  }

  void countCorruptBlock() {
    corruptBlocks.increment();
  }

  /** Blocks read back that were not what had been written, and were dropped. */
  long corruptBlocks() {
    return corruptBlocks.sum();
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
        + stats.offers(OfferResult.MEDIUM_FAILED)
        + stats.offers(OfferResult.OUT_OF_SERVICE);
  }
}
