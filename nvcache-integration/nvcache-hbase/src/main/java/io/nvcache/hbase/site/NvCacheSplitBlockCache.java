// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.site;

import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.jspecify.annotations.Nullable;

/**
 * HBase's CombinedBlockCache, index and Bloom blocks in DRAM and data blocks below, with two of its
 * habits changed: a miss is counted once, although the reader looks a second time when it holds the
 * block's lock; and a block is evicted from both levels, although the first one may have had it.
 */
public final class NvCacheSplitBlockCache extends CombinedBlockCache {
  NvCacheSplitBlockCache(FirstLevelBlockCache dramTier, BlockCache secondTier) {
    super(dramTier, secondTier);
  }

  @Override
  public @Nullable Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    // The reader does not always know what it will find; what it knows to be no data block is in
    // DRAM or nowhere.
    boolean meta = isMetaBlock(key.getBlockType());
    BlockCache tier = meta || l1Cache.containsBlock(key) ? l1Cache : l2Cache;
    Cacheable block = tier.getBlock(key, caching, repeat, false);
    if (block == null && tier == l1Cache && !meta) {
      tier = l2Cache; // DRAM has evicted it in between.
      block = tier.getBlock(key, caching, repeat, false);
    }
    if (updateCacheMetrics) {
      count(tier, key, caching, repeat, block);
    }
    return block;
  }

  private static void count(
      BlockCache tier,
      BlockCacheKey key,
      boolean caching,
      boolean repeat,
      @Nullable Cacheable found) {
    if (found != null) {
      tier.getStats().hit(caching, key.isPrimary(), key.getBlockType());
    } else if (!repeat) {
      tier.getStats().miss(caching, key.isPrimary(), key.getBlockType());
    }
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    boolean fromDram = l1Cache.evictBlock(key);
    return l2Cache.evictBlock(key) || fromDram;
  }
}
