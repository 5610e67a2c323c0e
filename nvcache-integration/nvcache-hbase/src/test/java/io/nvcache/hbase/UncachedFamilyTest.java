// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.admission.AdmissionPresets;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A family with {@code BLOCKCACHE => false} on a server that caches what it writes. HBase before
 * 2.6.4 caches its blocks all the same (HBASE-29623).
 */
final class UncachedFamilyTest {
  private static final long SEED = 29623;

  @TempDir private Path directory;

  private final Configuration configuration = new Configuration();
  private final NvHBaseBlockCache cache =
      new NvHBaseBlockCache(
          BlockCache.builder()
              .nativeMemory(64 << 20)
              .admission(AdmissionPresets.admitAll())
              .build(),
          new FileIdRegistry());

  @AfterEach
  void close() {
    cache.shutdown();
  }

  private CacheConfig family() {
    configuration.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    ColumnFamilyDescriptor off =
        ColumnFamilyDescriptorBuilder.newBuilder(new byte[] {'f'})
            .setBlockCacheEnabled(false)
            .build();
    return new CacheConfig(configuration, off, cache, ByteBuffAllocator.HEAP);
  }

  /** What the release says of the family is what is cached: the cache does not know families. */
  @Test
  void shouldHoldWhatHBaseCachesOnWriteAndServeIt() throws Exception {
    CacheConfig family = family();

    SampleHFile file = SampleHFile.write(directory.resolve("hfile"), SEED, configuration, family);

    assertThat(family.shouldCacheDataOnRead()).isFalse();
    assertThat(cache.getDataBlockCount())
        .isEqualTo(family.shouldCacheDataOnWrite() ? file.countDataBlocks() : 0);
    long cached = cache.getDataBlockCount();
    try (HFile.Reader reader = file.open(family)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
    assertThat(cache.engine().stats().hits()).isGreaterThanOrEqualTo(cached);
  }

  @Test
  void shouldTakeNoDataBlockThatIsRead() throws IOException {
    CacheConfig family = family();
    SampleHFile file = SampleHFile.write(directory.resolve("hfile"), SEED, configuration, family);
    cache.evictBlocksByHfileName("hfile");
    assertThat(cache.getBlockCount()).isZero();

    try (HFile.Reader reader = file.open(family)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }

    assertThat(cache.getDataBlockCount()).isZero();
  }
}
