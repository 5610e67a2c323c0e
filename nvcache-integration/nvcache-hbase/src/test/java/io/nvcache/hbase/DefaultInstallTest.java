// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.OfferResult;
import io.nvcache.control.CacheHealth;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store file far smaller than the machine's memory, read through HBase's own reader. */
class DefaultInstallTest {
  private static final int READS = 6000;

  @TempDir private Path directory;

  private static Configuration settings() {
    Configuration configuration = new Configuration();
    configuration.set(NvCacheConfiguration.CAPACITY_BYTES, "33554432");
    configuration.set(NvCacheConfiguration.EXPECTED_BLOCK_BYTES, "4096");
    return configuration;
  }

  /** Reads cells at random, by the settings and told of the file as by a region's observer. */
  private NvHBaseBlockCache read(Configuration configuration) throws Exception {
    Path path = directory.resolve("hfile");
    SampleHFile file = SampleHFile.write(path, 0xdef);
    NvHBaseBlockCache second = new NvHBaseBlockCache(configuration);
    second.registerFile(file.name(), Files.size(path));
    LruBlockCache dram = new LruBlockCache(64 << 10, 4096, true, configuration);
    CombinedBlockCache both = NvCacheConfiguration.topology(configuration).join(dram, second);
    SplittableRandom random = new SplittableRandom(0x5eed);
    try (HFile.Reader reader = file.open(both)) {
      for (int i = 0; i < READS; i++) {
        assertThat(file.holdsCell(reader, random.nextInt(SampleHFile.CELLS))).isTrue();
      }
    }
    assertThat(second.engine().control().dataSet().bytes()).hasValue(Files.size(path));
    return second;
  }

  private long hits(Configuration configuration) throws Exception {
    NvHBaseBlockCache cache = read(configuration);
    long hits = cache.engine().stats().hits();
    cache.shutdown();
    return hits;
  }

  @ParameterizedTest
  @ValueSource(strings = {"combined", "tiered"})
  void shouldServeByDefaultWhatATunedInstallServes(String topology) throws Exception {
    Configuration tuned = settings();
    tuned.set(NvCacheConfiguration.TOPOLOGY, topology);
    tuned.set(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, "0");
    Configuration byDefault = settings();
    byDefault.set(NvCacheConfiguration.TOPOLOGY, topology);
    long wanted = hits(tuned);
    assertThat(wanted).isGreaterThan(READS / 3);
    assertThat(hits(byDefault)).isGreaterThanOrEqualTo(wanted * 8 / 10);
  }

  @Test
  void shouldNotBypassTheOnlyCacheOfDataBlocksThoughToldOverJmx() throws Exception {
    Configuration configuration = settings();
    NvHBaseBlockCache cache = new NvHBaseBlockCache(configuration);
    cache.engine().control().settings().setSmallBypassDramBytes(1L << 40);
    cache.registerFile("hfile", 1);
    cache.cacheBlock(new BlockCacheKey("hfile", 0), new ForeignBlock("data"));
    assertThat(cache.engine().stats().offers(OfferResult.BYPASSED_SMALL)).isZero();
    assertThat(cache.engine().stats().blocks()).isEqualTo(1);
    cache.shutdown();
  }

  @Test
  void shouldSayThatABypassThatWasAskedForIsOne() throws Exception {
    Configuration configuration = settings();
    configuration.set(NvCacheConfiguration.TOPOLOGY, "tiered");
    configuration.set(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, "8589934592");
    NvHBaseBlockCache cache = read(configuration);
    for (int second = 0;
        cache.engine().control().health().state() == CacheHealth.State.SERVING;
        second++) {
      assertThat(second).as("seconds until it says so").isLessThan(300);
      cache.cacheBlock(new BlockCacheKey("hfile", 1 << 30), new ForeignBlock("data"));
      Thread.sleep(1000);
    }
    assertThat(cache.engine().stats().blocks()).isZero();
    assertThat(cache.engine().control().health().state()).isEqualTo(CacheHealth.State.BYPASSING);
    assertThat(cache.engine().control().health().reason())
        .contains(
            "x 0.5 fits in 8 GiB of DRAM: nothing is cached; set"
                + " hbase.nvcache.smallbypass.dram.bytes=0 (over JMX: SmallBypassDramBytes=0)");
    cache.shutdown();
  }
}
