// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.site;

import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.jspecify.annotations.Nullable;

/**
 * A DRAM cache of HBase with a second-level cache below it: a lookup goes to DRAM, then to the
 * second level; a block that was found below or read from disk goes into DRAM, and a block read
 * from disk is offered below as well. Blocks that DRAM evicts are not written anywhere: the second
 * level was offered them when they came from disk.
 *
 * <p>HBase has two ways to join two caches, and neither does this. CombinedBlockCache keeps data
 * blocks out of DRAM altogether. InclusiveCombinedBlockCache does not ask the second level again
 * once a reader holds the block's lock, so that every waiting reader goes to the disk; it offers
 * each block found below to the second level once more; and it counts a hit below as a miss in DRAM
 * as well.
 *
 * <p>Every lookup is counted once: as a hit of the tier that had the block, or as a miss of the
 * second level, unless it repeats one that missed. Thread-safe if the tiers are.
 */
public final class TwoTierBlockCache extends CombinedBlockCache {
  /**
   * Joins two caches.
   *
   * @param dramTier a cache that has no victim cache
   * @param secondTier the cache below it
   */
  public TwoTierBlockCache(FirstLevelBlockCache dramTier, BlockCache secondTier) {
    super(dramTier, secondTier);
  }

  @Override
  public @Nullable Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    Cacheable block = l1Cache.getBlock(key, caching, repeat, false);
    if (block != null) {
      if (updateCacheMetrics) {
        l1Cache.getStats().hit(caching, key.isPrimary(), key.getBlockType());
      }
      return block;
    }
    block = l2Cache.getBlock(key, caching, repeat, updateCacheMetrics);
    if (block != null && caching) {
      l1Cache.cacheBlock(key, block);
    }
    return block;
  }

  /**
   * Looks a block up as the other method does, whatever type is expected; HBase from 3.0 on calls
   * this.
   */
  @SuppressWarnings("MissingOverride") // HBase 2.6 has no such method.
  public @Nullable Cacheable getBlock(
      BlockCacheKey key,
      boolean caching,
      boolean repeat,
      boolean updateCacheMetrics,
      @Nullable BlockType expectedType) {
    if (expectedType != null && key.getBlockType() != expectedType) {
      key.setBlockType(expectedType);
    }
    return getBlock(key, caching, repeat, updateCacheMetrics);
  }

  @Override
  public void cacheBlock(
      BlockCacheKey key, Cacheable block, boolean inMemory, boolean waitWhenCache) {
    l1Cache.cacheBlock(key, block, inMemory);
    l2Cache.cacheBlock(key, block, inMemory, waitWhenCache);
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    boolean fromDram = l1Cache.evictBlock(key);
    return l2Cache.evictBlock(key) || fromDram;
  }
}
