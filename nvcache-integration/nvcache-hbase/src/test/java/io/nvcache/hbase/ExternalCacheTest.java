// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.hbase.site.NvCacheConfiguration;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way in for an unmodified region server. */
class ExternalCacheTest {
  @TempDir private Path directory;

  private static Configuration configuration(String externalClass) {
    Configuration configuration = new Configuration();
    configuration.setBoolean("hbase.blockcache.use.external", true);
    configuration.set("hbase.blockcache.external.class", externalClass);
    configuration.set(NvCacheConfiguration.CAPACITY_BYTES, "67108864");
    configuration.set(NvCacheConfiguration.POLICIES, "admit-all");
    return configuration;
  }

  @Test
  void shouldBeLoadedByHBaseAsItsSecondLevel() throws Exception {
    BlockCache cache =
        BlockCacheFactory.createBlockCache(configuration(NvHBaseBlockCache.class.getName()));
    try {
      assertThat(cache).isInstanceOf(CombinedBlockCache.class);
      BlockCache second = ((CombinedBlockCache) cache).getSecondLevelCache();
      assertThat(second).isInstanceOf(NvHBaseBlockCache.class);

      SampleHFile file = SampleHFile.write(directory.resolve("hfile"), 1);
      try (HFile.Reader reader = file.open(cache)) {
        assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
        assertThat(second.getBlockCount()).isEqualTo(file.countDataBlocks());
        ((CombinedBlockCache) cache).getFirstLevelCache().evictBlocksByHfileName("hfile");
        cache.evictBlocksByHfileName("hfile");
        assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
      }
    } finally {
      cache.shutdown();
    }
  }

  @Test
  void shouldLeaveTheFirstLevelAloneWhenMemcachedIsWanted() {
    BlockCache cache = BlockCacheFactory.createBlockCache(configuration("memcached"));
    assertThat(cache).isNotNull().isNotInstanceOf(CombinedBlockCache.class);
    cache.shutdown();
  }
}
