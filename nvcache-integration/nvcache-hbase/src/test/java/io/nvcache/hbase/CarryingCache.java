// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.hbase.blocks.ThreadSource;
import io.nvcache.hbase.compaction.CompactionOutputs;
import io.nvcache.hbase.compaction.CompactionScope;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;

/**
 * A cache whose compactions carry heat, for HBase's published tests: their stores have no region
 * server, whose observer tells where a compaction begins. Here each does with its first block.
 */
public final class CarryingCache extends CombinedBlockCache {
  private static final long DRAM_BYTES = 32 << 20;
  private static final int BLOCK_BYTES = 4096;

  private final transient NvHBaseBlockCache nvcache;

  /** Made by HBase, as an external cache. */
  public CarryingCache(Configuration configuration) {
    this(configuration, new NvHBaseBlockCache(configuration));
  }

  private CarryingCache(Configuration configuration, NvHBaseBlockCache nvcache) {
    super(new LruBlockCache(DRAM_BYTES, BLOCK_BYTES, true, configuration), nvcache);
    this.nvcache = nvcache;
    nvcache.compactions().setOutputs(CompactionOutputs.CARRY);
  }

  private void beginIfCompacting() {
    if (ThreadSource.current() == io.nvcache.Source.COMPACTION
        && CompactionScope.current(nvcache.engine()) == null) {
      nvcache.compactions().begin();
    }
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    beginIfCompacting();
    super.cacheBlock(key, block, inMemory);
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    beginIfCompacting();
    super.cacheBlock(key, block);
  }

  @Override
  public Cacheable getBlock(
      BlockCacheKey key, boolean caching, boolean repeat, boolean updateCacheMetrics) {
    beginIfCompacting();
    return super.getBlock(key, caching, repeat, updateCacheMetrics);
  }
}
