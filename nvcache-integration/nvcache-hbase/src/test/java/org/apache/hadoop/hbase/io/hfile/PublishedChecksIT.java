// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.io.hfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.hbase.NvHBaseBlockCache;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.lang.reflect.Method;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The parts of HBase's published tests that take any block cache, in their package. Each is run on
 * NVCache alone or, where it asks for a cache as a region server has it, below an LRU cache.
 */
class PublishedChecksIT {
  private Configuration configuration;
  private NvHBaseBlockCache cache;
  private CombinedBlockCache recommended;
  private BlockCache external;

  @BeforeEach
  void open() {
    configuration = new Configuration();
    configuration.setLong(NvCacheConfiguration.CAPACITY_BYTES, 256 << 20);
    configuration.setInt(NvCacheConfiguration.EXPECTED_BLOCK_BYTES, 1024);
    configuration.set(NvCacheConfiguration.POLICIES, "admit-all");
    configuration.setLong(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, 0);
    cache = new NvHBaseBlockCache(configuration);
    recommended =
        new NvHBaseBlockCache(configuration)
            .below(new LruBlockCache(64 << 20, 64 << 10, true, configuration));
    configuration.setBoolean("hbase.blockcache.use.external", true);
    configuration.set("hbase.blockcache.external.class", NvHBaseBlockCache.class.getName());
    external = BlockCacheFactory.createBlockCache(configuration);
    assertThat(external).isInstanceOf(InclusiveCombinedBlockCache.class);
  }

  @AfterEach
  void close() {
    cache.shutdown();
    recommended.shutdown();
    external.shutdown();
  }

  @Test
  void shouldPassTheMultiThreadedCheck() throws Exception {
    CacheTestUtils.testCacheMultiThreaded(cache, 64 << 10, 100, 5000, 0.90);
  }

  @Test
  void shouldPassTheSingleKeyHammer() throws Exception {
    CacheTestUtils.hammerSingleKey(cache, 10, 10_000);
    CacheTestUtils.hammerSingleKey(recommended, 10, 10_000);
  }

  @Test
  void shouldPassTheGetAndEvictRace() throws Exception {
    TestLruBlockCache.testMultiThreadGetAndEvictBlockInternal(cache);
  }

  @Test
  void shouldPassTheHeapSizeCheck() {
    CacheTestUtils.testHeapSizeChanges(external, 64 << 10);
  }

  @Test
  void shouldPassTheBasicOperations() throws Exception {
    TestCacheConfig checks = new TestCacheConfig();
    checks.setUp();
    CacheConfig config = new CacheConfig(configuration);
    checks.basicBlockCacheOps(cache, config, false, true);
    checks.basicBlockCacheOps(recommended, config, false, true);
    checks.basicBlockCacheOps(external, config, true, true);
  }

  /** As TestBlockCacheReporting does with HBase's own caches. */
  @Test
  void shouldReportDataAndHits() throws Exception {
    Method check =
        TestBlockCacheReporting.class.getDeclaredMethod(
            "addDataAndHits", BlockCache.class, int.class);
    check.setAccessible(true);
    for (BlockCache reporting : new BlockCache[] {cache, recommended, external}) {
      check.invoke(new TestBlockCacheReporting(), reporting, 3);
      assertThat(BlockCacheUtil.getLoadedCachedBlocksByFile(configuration, reporting).getCount())
          .isGreaterThanOrEqualTo(3);
    }
  }

  @Test
  void shouldBeShownAsJson() throws Exception {
    for (BlockCache shown : new BlockCache[] {cache, recommended, external}) {
      assertThat(BlockCacheUtil.toJSON(shown)).startsWith("{");
      assertThat(
              BlockCacheUtil.toJSON(
                  BlockCacheUtil.getLoadedCachedBlocksByFile(configuration, shown)))
          .contains("count");
    }
  }
}
