// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.control.RestoreReport;
import io.nvcache.hbase.blocks.CachedBlocks;
import io.nvcache.hbase.blocks.MetaFirst;
import io.nvcache.hbase.files.DataCensus;
import io.nvcache.hbase.files.StoreFileNames;
import java.util.Iterator;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;

/**
 * What the cache holds now, as HBase's pages and its master ask for it: bytes, blocks, and the
 * share of each region. Thread-safe.
 */
final class CacheContents {
  /** Part of the capacity that is free when the cache counts as nearly full. */
  private static final double SCARCE_ROOM = 0.1;

  private final BlockCache cache;
  private final StoreFileNames names;
  private final ServedRegions regions;
  private final DataCensus census;

  CacheContents(BlockCache cache, StoreFileNames names) {
    this.cache = cache;
    this.names = names;
    this.regions = new ServedRegions(cache, names);
    this.census = new DataCensus(this::iterator, System::nanoTime);
    if (cache.control().restore().state() != RestoreReport.State.OFF) {
      census.metaAdmitted(); // By a former server, perhaps.
    }
  }

  /** Returns the regions that are served, with their files. */
  ServedRegions regions() {
    return regions;
  }

  /** Notes a block that was admitted a moment ago. */
  void admitted(BlockCacheKey key, Cacheable block, int lengthBytes) {
    if (MetaFirst.isMeta(block.getBlockType())) {
      census.metaAdmitted();
    }
    regions.admitted(key, block, lengthBytes);
  }

  long capacityBytes() {
    return cache.stats().capacityBytes();
  }

  long usedBytes() {
    return cache.stats().usedBytes();
  }

  long freeBytes() {
    CacheStats now = cache.stats();
    return now.capacityBytes() - now.usedBytes();
  }

  boolean isNearlyFull() {
    return freeBytes() < (long) (capacityBytes() * SCARCE_ROOM);
  }

  long blocks() {
    return cache.stats().blocks();
  }

  /** Returns the number of data blocks, as exact as {@link #dataBytes}. */
  long dataBlocks() {
    return census.dataBlocks(cache.stats());
  }

  /**
   * Returns the bytes of data blocks: exact while only data blocks were cached or few blocks are;
   * else estimated from a sample.
   */
  long dataBytes() {
    return census.dataBytes(cache.stats());
  }

  /** Returns the bytes on disk of the cached blocks, by the encoded name of their region. */
  Map<String, Long> bytesByRegion() {
    return regions.bytesByRegion();
  }

  /** Returns the blocks cached now, as {@link io.nvcache.control.BlockWalk} finds them. */
  Iterator<CachedBlock> iterator() {
    return new CachedBlocks(cache, names.byId());
  }
}
