// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.hbase.ForeignBlock;
import io.nvcache.hbase.NvHBaseBlockCache;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NvCacheSplitBlockCacheTest {
  private static final BlockCacheKey DATA = new BlockCacheKey("hfile", 0);
  private static final BlockCacheKey INDEX =
      new BlockCacheKey("hfile", 100, true, BlockType.LEAF_INDEX);

  private final BlockCache engine =
      BlockCache.builder().nativeMemory(64 << 20).admission(AdmissionPresets.admitAll()).build();
  private final NvHBaseBlockCache second = new NvHBaseBlockCache(engine, new FileIdRegistry());
  private final LruBlockCache dram = new LruBlockCache(1 << 20, 4096, true, new Configuration());
  private final CombinedBlockCache both = Topology.COMBINED.join(dram, second);

  @AfterEach
  void close() {
    both.shutdown();
    both.shutdown();
  }

  @Test
  void shouldPutDataBelowAndTheRestIntoDram() {
    both.cacheBlock(DATA, new ForeignBlock("data"), false, false);
    both.cacheBlock(INDEX, new ForeignBlock("index", BlockType.LEAF_INDEX), false, false);
    assertThat(dram.containsBlock(DATA)).isFalse();
    assertThat(dram.containsBlock(INDEX)).isTrue();
    assertThat(second.getBlockCount()).isEqualTo(1);
    assertThat(both.getBlock(DATA, true, false, true)).isEqualTo(new ForeignBlock("data"));
    assertThat(both.getBlock(INDEX, true, false, true)).isNotNull();
    assertThat(second.getStats().getHitCount()).isEqualTo(1);
    assertThat(dram.getStats().getHitCount()).isEqualTo(1);
    assertThat(both.getStats().getMissCount()).isZero();
  }

  @Test
  void shouldCountAMissOnceThoughTheReaderLooksTwice() {
    for (BlockCacheKey key : new BlockCacheKey[] {DATA, INDEX}) {
      assertThat(both.getBlock(key, true, false, true)).isNull();
      assertThat(both.getBlock(key, true, true, true)).isNull();
    }
    assertThat(second.getStats().getMissCount()).isEqualTo(1);
    assertThat(dram.getStats().getMissCount()).isEqualTo(1);
  }

  @Test
  void shouldFindWhatWasLoadedWhileTheReaderWaited() {
    assertThat(both.getBlock(DATA, true, false, true)).isNull();
    both.cacheBlock(DATA, new ForeignBlock("data"), false, false);
    assertThat(both.getBlock(DATA, true, true, true)).isEqualTo(new ForeignBlock("data"));
  }

  @Test
  void shouldEvictFromBothTiers() {
    dram.cacheBlock(DATA, new ForeignBlock("data"));
    second.cacheBlock(DATA, new ForeignBlock("data"));
    assertThat(both.evictBlock(DATA)).isTrue();
    assertThat(dram.containsBlock(DATA)).isFalse();
    assertThat(second.getBlockCount()).isZero();
    assertThat(both.evictBlock(DATA)).isFalse();
  }
}
