// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.hbase.blocks.ThreadSource;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockCacheUtil;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvHBaseBlockCacheTest {
  private static final long SEED = 20260714;

  @TempDir private Path directory;

  private final BlockCache engine =
      BlockCache.builder().nativeMemory(64 << 20).admission(AdmissionPresets.admitAll()).build();
  private final FileIdRegistry fileIds = new FileIdRegistry();
  private final NvHBaseBlockCache cache = new NvHBaseBlockCache(engine, fileIds);

  @AfterEach
  void close() {
    cache.shutdown();
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, NONE, false",
    "GZ, NONE, false",
    "GZ, NONE, true",
    "NONE, FAST_DIFF, false",
    "GZ, FAST_DIFF, true"
  })
  void shouldServeTheSecondPassFromTheCache(
      Compression.Algorithm compression, DataBlockEncoding encoding, boolean cacheCompressed)
      throws Exception {
    Configuration configuration = new Configuration();
    configuration.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, cacheCompressed);
    SampleHFile file =
        SampleHFile.write(directory.resolve("hfile"), SEED, configuration, compression, encoding);
    int blocks = file.countDataBlocks();
    assertThat(blocks).isGreaterThan(10);

    try (HFile.Reader reader = file.open(cache)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
      assertThat(cache.getStats().getMissCount()).isEqualTo(blocks);
      assertThat(cache.getStats().getHitCount()).isZero();
      assertThat(cache.getBlockCount()).isEqualTo(blocks);

      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
      assertThat(cache.getStats().getMissCount()).isEqualTo(blocks);
      assertThat(cache.getStats().getHitCount()).isEqualTo(blocks);
    }
  }

  @Test
  void shouldLookUpOnceForEachReadOfHBase() throws Exception {
    SampleHFile file = SampleHFile.write(directory.resolve("hfile"), SEED);
    try (HFile.Reader reader = file.open(cache)) {
      file.countEqualCells(reader);
      file.countEqualCells(reader);
    }
    assertThat(engine.stats().lookups()).isEqualTo(2L * file.countDataBlocks());
    assertThat(engine.stats().hits()).isEqualTo(file.countDataBlocks());
  }

  @Test
  void shouldAnswerTheLookupUnderTheBlockLockOnceAnotherReaderHasLoadedTheBlock() {
    BlockCacheKey key = new BlockCacheKey("hfile", 4096);
    assertThat(cache.getBlock(key, true, false, true)).isNull();
    assertThat(cache.getBlock(key, true, true, true)).isNull();
    assertThat(engine.stats().lookups()).isEqualTo(1);
    assertThat(cache.getStats().getMissCount()).isEqualTo(1);

    cache.cacheBlock(key, new ForeignBlock("loaded by another reader"));
    assertThat(cache.getBlock(key, true, true, true))
        .isEqualTo(new ForeignBlock("loaded by another reader"));
    assertThat(engine.stats().lookups()).isEqualTo(2);
    assertThat(cache.getStats().getHitCount()).isEqualTo(1);
  }

  @Test
  void shouldCountTheMissOfAnEvictedBlockOnce() {
    BlockCacheKey key = new BlockCacheKey("hfile", 4096);
    cache.cacheBlock(key, new ForeignBlock("block"));
    cache.evictBlock(key);
    assertThat(cache.getBlock(key, true, false, true)).isNull();
    assertThat(cache.getBlock(key, true, true, true)).isNull();
    assertThat(engine.stats().lookups()).isEqualTo(1);
    assertThat(cache.getStats().getMissCount()).isEqualTo(1);
  }

  @Test
  void shouldForgetAFileOnceAndForAll() throws Exception {
    SampleHFile file = SampleHFile.write(directory.resolve("hfile"), SEED);
    int blocks = file.countDataBlocks();
    try (HFile.Reader reader = file.open(cache)) {
      file.countEqualCells(reader);
      assertThat(cache.evictBlocksByHfileName("hfile")).isEqualTo(blocks);
      assertThat(cache.evictBlocksByHfileName("hfile")).isZero();
      assertThat(cache.evictBlocksByHfileName("never seen")).isZero();
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
    assertThat(cache.getStats().getHitCount()).isZero();
    assertThat(cache.getStats().getMissCount()).isEqualTo(2L * blocks);
  }

  @Test
  void shouldNotServeADeletedFileUnderItsOldName() throws Exception {
    SampleHFile old = SampleHFile.write(directory.resolve("hfile"), SEED);
    try (HFile.Reader reader = old.open(cache)) {
      old.countEqualCells(reader);
    }
    cache.evictBlocksByHfileName("hfile");
    java.nio.file.Files.delete(directory.resolve("hfile"));
    SampleHFile young = SampleHFile.write(directory.resolve("hfile"), SEED + 1);
    try (HFile.Reader reader = young.open(cache)) {
      assertThat(young.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
      assertThat(young.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
  }

  @Test
  void shouldEvictOneBlock() {
    BlockCacheKey key = new BlockCacheKey("hfile", 0);
    cache.cacheBlock(key, new ForeignBlock("block"));
    assertThat(cache.evictBlock(key)).isTrue();
    assertThat(cache.evictBlock(key)).isFalse();
    assertThat(cache.getBlock(key, true, false, true)).isNull();
  }

  @Test
  void shouldGiveEachReaderACopyOfItsOwn() {
    BlockCacheKey key = new BlockCacheKey("hfile", 0);
    cache.cacheBlock(key, new ForeignBlock("block"));
    ForeignBlock one = (ForeignBlock) cache.getBlock(key, true, false, true);
    ForeignBlock other = (ForeignBlock) cache.getBlock(key, true, false, true);
    one.overwrite();
    assertThat(other).isEqualTo(new ForeignBlock("block"));
  }

  @Test
  void shouldDropWhatCannotBeReadBack() {
    BlockCacheKey key = new BlockCacheKey("hfile", 0);
    long fileId = fileIds.idOf("hfile");
    for (byte[] garbage : List.of(new byte[3], new byte[100])) {
      assertThat(engine.offer(fileId, 0, ByteBuffer.wrap(garbage), Source.READ))
          .isEqualTo(OfferResult.ADMITTED);
      assertThat(cache.getBlock(key, true, false, true)).isNull();
      assertThat(engine.invalidate(fileId, 0)).as("still there").isFalse();
    }
    assertThat(cache.getStats().getMissCount()).isEqualTo(2);
  }

  @Test
  void shouldIgnoreBlocksThatHBaseCannotSerialize() {
    cache.cacheBlock(new BlockCacheKey("hfile", 0), new ForeignBlock(""), false, true);
    assertThat(engine.stats().offersBySource().values()).containsOnly(0L);
  }

  @Test
  void shouldCountAndSurviveABlockThatFailsToSerialize() {
    BlockCacheKey key = new BlockCacheKey("hfile", 0);
    assertThatCode(() -> cache.cacheBlock(key, ForeignBlock.failing())).doesNotThrowAnyException();
    assertThat(cache.getStats().getFailedInserts()).isEqualTo(1);
    cache.cacheBlock(key, new ForeignBlock("afterwards"));
    assertThat(cache.getBlock(key, true, false, true)).isEqualTo(new ForeignBlock("afterwards"));
  }

  @Test
  void shouldCountAsFailedWhatAMediumOutOfServiceWasNotGiven() {
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(16 << 20));
    BlockCache failing =
        BlockCache.builder()
            .medium(medium)
            .admission(AdmissionPresets.admitAll())
            .maxMediumFailures(2)
            .maintainedByCaller()
            .build();
    NvHBaseBlockCache before = new NvHBaseBlockCache(failing, new FileIdRegistry());
    try {
      medium.failWrites = true;
      for (int offset = 0; offset < 5; offset++) {
        before.cacheBlock(new BlockCacheKey("hfile", offset), new ForeignBlock("block"));
      }
      assertThat(failing.stats().offers(OfferResult.MEDIUM_FAILED)).isEqualTo(2);
      assertThat(failing.stats().offers(OfferResult.OUT_OF_SERVICE)).isEqualTo(3);
      assertThat(before.getStats().getFailedInserts()).isEqualTo(5);
    } finally {
      before.shutdown();
    }
  }

  @Test
  void shouldTakeABlockOnce() {
    BlockCacheKey key = new BlockCacheKey("hfile", 0);
    cache.cacheBlock(key, new ForeignBlock("block"));
    cache.cacheBlock(key, new ForeignBlock("block"), true);
    assertThat(engine.stats().offers(OfferResult.ADMITTED)).isEqualTo(1);
    assertThat(engine.stats().offers(OfferResult.ALREADY_CACHED)).isEqualTo(1);
  }

  @Test
  void shouldTellTheEngineWhatABlockWasReadFor() {
    try (ThreadSource scope = ThreadSource.enter(Source.SCAN)) {
      cache.cacheBlock(new BlockCacheKey("hfile", 0), new ForeignBlock("scanned"));
    }
    cache.cacheBlock(new BlockCacheKey("hfile", 1), new ForeignBlock("read"));
    assertThat(engine.stats().offers(Source.SCAN)).isEqualTo(1);
    assertThat(engine.stats().offers(Source.READ)).isEqualTo(1);
  }

  @Test
  void shouldPassFileLengthsOn() {
    cache.registerFile("one", 1000);
    cache.registerFile("two", 500);
    assertThat(engine.control().dataSet().bytes()).hasValue(1500);
    cache.registerFile("two", 500); // The other half of a split file.
    cache.unregisterFile("two");
    cache.evictBlocksByHfileName("one"); // The cache was cleared; the file is served.
    assertThat(engine.control().dataSet().bytes()).hasValue(1500);
    cache.unregisterFile("two");
    cache.unregisterFile("two");
    assertThat(engine.control().dataSet().bytes()).hasValue(1000);
  }

  @Test
  void shouldTellTheSizesOfTheEngine() {
    cache.cacheBlock(new BlockCacheKey("hfile", 0), new ForeignBlock("block"));
    assertThat(cache.getMaxSize()).isEqualTo(engine.stats().capacityBytes()).isPositive();
    assertThat(cache.size()).isEqualTo(cache.getMaxSize());
    assertThat(cache.getCurrentSize()).isEqualTo(engine.stats().usedBytes()).isPositive();
    assertThat(cache.getFreeSize()).isEqualTo(cache.getMaxSize() - cache.getCurrentSize());
    assertThat(cache.getCurrentDataSize()).isEqualTo(engine.stats().blockBytes());
    assertThat(cache.getDataBlockCount()).isEqualTo(1);
    assertThat(cache.getBlockCaches()).isNull();
  }

  @Test
  void shouldTellWhatIsCachedByFileAndType() throws Exception {
    SampleHFile file = SampleHFile.write(directory.resolve("hfile"), SEED);
    try (HFile.Reader reader = file.open(cache)) {
      file.countEqualCells(reader);
    }
    cache.cacheBlock(new BlockCacheKey("other", 3), new ForeignBlock("no HFile block"));
    BlockCacheUtil.CachedBlocksByFile byFile =
        BlockCacheUtil.getLoadedCachedBlocksByFile(new Configuration(), cache);
    assertThat(byFile.getCachedBlockStatsByFile()).containsOnlyKeys("hfile", "other");
    assertThat(byFile.getCachedBlockStatsByFile().get("hfile")).hasSize(file.countDataBlocks());
    assertThat(byFile.getCount()).isEqualTo(cache.getBlockCount());
    assertThat(byFile.getDataCount()).isEqualTo(file.countDataBlocks());
    assertThat(byFile.getSize()).isEqualTo(engine.stats().blockBytes());
    assertThat(engine.stats().hits()).as("looking is no use").isZero();
  }

  @Test
  void shouldForgetPartOfAFile() {
    for (int offset = 0; offset < 10; offset++) {
      cache.cacheBlock(new BlockCacheKey("hfile", offset), new ForeignBlock("block"));
      cache.cacheBlock(new BlockCacheKey("other", offset), new ForeignBlock("block"));
    }
    assertThat(cache.evictBlocksRangeByHfileName("hfile", 3, 5)).isEqualTo(3);
    assertThat(cache.evictBlocksRangeByHfileName("never seen", 3, 5)).isZero();
    assertThat(cache.evictBlocksByHfileName("hfile")).isEqualTo(7);
    assertThat(cache.evictBlocksByHfileName("other")).isEqualTo(10);
  }

  @Test
  void shouldKeepNoNamesOfFilesWithoutBlocks() {
    cache.cacheBlock(new BlockCacheKey("cached", 0), new ForeignBlock("block"));
    for (int i = 0; i < 5000; i++) {
      cache.getBlock(new BlockCacheKey("looked up once " + i, 0), true, false, true);
      cache.cacheBlock(new BlockCacheKey("cached", 0), new ForeignBlock("block"));
    }
    assertThat(fileIds.size()).isLessThan(1100);
    assertThat(cache.getBlock(new BlockCacheKey("cached", 0), true, false, true)).isNotNull();
  }

  @Test
  void shouldLayNoBlockOutThatIsCachedAlready() {
    BlockCacheKey key = new BlockCacheKey("hfile", 0);
    cache.cacheBlock(key, new ForeignBlock("0123456789"));
    cache.cacheBlock(key, ForeignBlock.failing()); // Would be counted if it were.
    assertThat(engine.stats().offers(OfferResult.ALREADY_CACHED)).isEqualTo(1);
    assertThat(cache.getStats().getFailedInserts()).isZero();
  }

  @Test
  void shouldSurviveHBasesStatusPage() throws Exception {
    assertThat(BlockCacheUtil.toJSON(cache)).isEqualTo("{}");
    assertThatCode(() -> BlockCacheUtil.toJSON(new TwoTiers(cache).both()))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldAnswerWithMissesAfterShutdown() {
    BlockCacheKey key = new BlockCacheKey("hfile", 0);
    cache.cacheBlock(key, new ForeignBlock("block"));
    cache.shutdown();
    cache.shutdown();
    assertThat(cache.getBlock(key, true, false, true)).isNull();
    assertThatCode(() -> cache.cacheBlock(key, new ForeignBlock("block")))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldServeConcurrentReadersTheRightCells() throws Exception {
    SampleHFile file = SampleHFile.write(directory.resolve("hfile"), SEED);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (HFile.Reader reader = file.open(cache)) {
      List<Callable<Integer>> readers = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        Random random = new Random(SEED + thread);
        readers.add(
            () -> {
              int right = 0;
              for (int i = 0; i < 2000; i++) {
                right += file.holdsCell(reader, random.nextInt(SampleHFile.CELLS)) ? 1 : 0;
                if (i % 100 == 0) {
                  cache.evictBlock(new BlockCacheKey("hfile", 0));
                }
              }
              return right;
            });
      }
      for (Future<Integer> right : threads.invokeAll(readers)) {
        assertThat(right.get()).as("seed %d", SEED).isEqualTo(2000);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(cache.getStats().getHitCount()).isPositive();
  }
}
