// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.FileIdentity;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.blocks.ReadMode;
import io.nvcache.hbase.files.StoreFileIdentity;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.PrefetchExecutor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a region server finds of the blocks of the one before it. */
@Timeout(120)
class WarmRestartTest {
  private static final String HFILE = "0123456789abcdef0123456789abcdef";

  @TempDir private Path directory;

  private NvHBaseBlockCache open() {
    return open(new Configuration());
  }

  private NvHBaseBlockCache open(Configuration site) {
    BlockCache engine =
        BlockCache.builder()
            .flash(directory.resolve("flash"), 16 << 20)
            .maxBlockBytes(64 << 10)
            .admission(AdmissionPresets.admitAll())
            .build();
    NvHBaseBlockCache cache =
        new NvHBaseBlockCache(
            engine,
            StoreFileIdentity.registry(engine, site),
            new BlockPayload(ReadMode.ZERO_COPY),
            () -> {});
    while (engine.control().restore().state() == State.RESTORING) {
      Thread.onSpinWait();
    }
    return cache;
  }

  @ParameterizedTest
  @CsvSource({"NONE, NONE, false", "GZ, FAST_DIFF, true"})
  void shouldServeTheFirstPassAfterARestart(
      Compression.Algorithm compression, DataBlockEncoding encoding, boolean cacheCompressed)
      throws Exception {
    Configuration configuration = new Configuration();
    configuration.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, cacheCompressed);
    SampleHFile file =
        SampleHFile.write(directory.resolve(HFILE), 25, configuration, compression, encoding);
    int blocks = file.countDataBlocks();
    NvHBaseBlockCache before = open();
    try (HFile.Reader reader = file.open(before)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
    before.shutdown();

    NvHBaseBlockCache after = open();
    try (HFile.Reader reader = file.open(after)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
      assertThat(after.getStats().getMissCount()).isZero();
      assertThat(after.getStats().getHitCount()).isEqualTo(blocks);
      assertThat(after.corruptBlocks()).isZero();
    } finally {
      after.shutdown();
    }
  }

  /** A split before the restart: from then on only the daughters' names are opened. */
  @Test
  void shouldServeADaughterFromTheRestoredBlocksOfItsParent() throws Exception {
    SampleHFile parent = SampleHFile.write(directory.resolve(HFILE), 25);
    SampleHFile half = SampleHFile.write(directory.resolve(HFILE + "." + HFILE), 25);
    NvHBaseBlockCache before = open();
    try (HFile.Reader reader = parent.open(before)) {
      assertThat(parent.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
    before.shutdown();

    NvHBaseBlockCache after = open();
    after.registerFile(half.name(), 1);
    try (HFile.Reader reader = half.open(after)) {
      assertThat(half.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
      assertThat(after.getStats().getHitCount()).isEqualTo(parent.countDataBlocks());
    } finally {
      after.shutdown();
    }
  }

  /** Such as by {@code clear_block_cache} before anyone read the table. */
  @Test
  void shouldEvictRestoredBlocksOfAFileThatNobodyAskedFor() throws Exception {
    SampleHFile file = SampleHFile.write(directory.resolve(HFILE), 25);
    NvHBaseBlockCache before = open();
    try (HFile.Reader reader = file.open(before)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
    before.shutdown();

    NvHBaseBlockCache after = open();
    try (HFile.Reader reader = file.open(after)) {
      assertThat(after.evictBlocksByHfileName(HFILE)).isEqualTo(file.countDataBlocks());
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
      assertThat(after.getStats().getHitCount()).isZero();
    } finally {
      after.shutdown();
    }
  }

  /** HBase unpacks what it finds cached, or does not, and fails on blocks of the other form. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotServeBlocksOfTheOtherForm(boolean packedBefore) throws Exception {
    Configuration site = new Configuration();
    site.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, packedBefore);
    SampleHFile file =
        SampleHFile.write(
            directory.resolve(HFILE), 25, site, Compression.Algorithm.GZ, DataBlockEncoding.NONE);
    NvHBaseBlockCache before = open(site);
    try (HFile.Reader reader = file.open(before)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
    before.shutdown();

    site.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, !packedBefore);
    NvHBaseBlockCache after = open(site);
    try (HFile.Reader reader = file.open(after)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
      assertThat(after.getStats().getHitCount()).isZero();
    } finally {
      after.shutdown();
    }
  }

  private static @Nullable String evictsOnClose(NvHBaseBlockCache cache, @Nullable String asked) {
    Configuration site = new Configuration(false);
    if (asked != null) {
      site.set(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, asked);
    }
    NvCacheRegionServer.chooseEvictionOnClose(site, cache);
    return site.get(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY);
  }

  /** Regions that are moved away for a restart come back. */
  @Test
  void shouldLeaveWhatAClosedRegionCached_WhereItIsFoundAgain() {
    NvHBaseBlockCache kept = open();
    BlockCache memory = BlockCache.builder().nativeMemory(1 << 20).build();
    NvHBaseBlockCache lost = new NvHBaseBlockCache(memory, new FileIdRegistry());
    try {
      assertThat(evictsOnClose(kept, null)).isEqualTo("false");
      assertThat(evictsOnClose(lost, null)).isEqualTo("true");
      for (String asked : List.of("true", "false")) {
        assertThat(evictsOnClose(kept, asked)).isEqualTo(asked);
        assertThat(evictsOnClose(lost, asked)).isEqualTo(asked);
      }
    } finally {
      kept.shutdown();
      lost.shutdown();
    }
  }

  /** The balancer asks before anybody reads, and a prefetch need not read the store again. */
  @Test
  void shouldTellHBaseWhatIsCached() throws Exception {
    Configuration configuration = new Configuration();
    configuration.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);
    configuration.setInt(PrefetchExecutor.PREFETCH_DELAY, PrefetchTest.DELAY_MILLIS);
    PrefetchExecutor.loadConfiguration(configuration);
    Path family = Files.createDirectories(directory.resolve("region").resolve("f"));
    SampleHFile file =
        SampleHFile.write(
            family.resolve(HFILE),
            25,
            configuration,
            Compression.Algorithm.NONE,
            DataBlockEncoding.NONE);
    NvHBaseBlockCache before = open();
    prefetch(file, before);
    before.shutdown();

    NvHBaseBlockCache after = open();
    try {
      assertThat(after.getRegionCachedInfo().orElseThrow()).isEmpty();
      after
          .filesOf("region")
          .compacted(after, List.of(), StoreFiles.named(family.resolve(HFILE).toString()));
      Thread.sleep(1001); // An answer lasts for a second.
      double length = Files.size(family.resolve(HFILE));
      assertThat(after.getRegionCachedInfo().orElseThrow().get("region") / length)
          .isBetween(0.9, 1.1);

      prefetch(file, after);
      assertThat(after.getFullyCachedFiles().orElseThrow()).containsOnlyKeys(HFILE);
      assertThat(after.getStats().getMissCount()).isZero();
    } finally {
      after.shutdown();
    }
  }

  /** Before any prefetch runs, by the log beside the cache's file. */
  @Test
  void shouldKnowWholeFilesAfterARestart() throws Exception {
    Configuration site = new Configuration();
    site.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);
    site.setInt(PrefetchExecutor.PREFETCH_DELAY, PrefetchTest.DELAY_MILLIS);
    PrefetchExecutor.loadConfiguration(site);
    site.set(NvCacheConfiguration.MEDIUM, "flash");
    site.set(NvCacheConfiguration.PATH, directory.resolve("flash").toString());
    site.setLong(NvCacheConfiguration.CAPACITY_BYTES, 16 << 20);
    site.setInt(NvCacheConfiguration.EXPECTED_BLOCK_BYTES, 4096);
    Path family = Files.createDirectories(directory.resolve("region").resolve("f"));
    SampleHFile file =
        SampleHFile.write(
            family.resolve(HFILE), 25, site, Compression.Algorithm.NONE, DataBlockEncoding.NONE);
    NvHBaseBlockCache before = new NvHBaseBlockCache(site);
    prefetch(file, before);
    assertThat(before.getFullyCachedFiles().orElseThrow()).containsOnlyKeys(HFILE);
    before.shutdown();

    NvHBaseBlockCache after = restarted(site);
    assertThat(after.getFullyCachedFiles().orElseThrow().get(HFILE).getFirst()).isEqualTo("region");
    assertThat(after.shouldCacheFile(HFILE)).contains(false);
    assertThat(after.evictBlock(new BlockCacheKey(HFILE, 0))).isTrue();
    assertThat(after.getFullyCachedFiles().orElseThrow()).isEmpty();
    after.shutdown();

    NvHBaseBlockCache afterEviction = restarted(site);
    assertThat(afterEviction.getFullyCachedFiles().orElseThrow()).isEmpty();
    afterEviction.shutdown();
  }

  /** With all other settings as they are by default. */
  @ParameterizedTest
  @ValueSource(ints = {8, 9, 17, 24, 31})
  void shouldFindTheBlocksOfASmallCache(int capacityMib) throws Exception {
    Configuration site = new Configuration();
    site.set(NvCacheConfiguration.MEDIUM, "flash");
    site.set(NvCacheConfiguration.PATH, directory.resolve("flash").toString());
    site.setLong(NvCacheConfiguration.CAPACITY_BYTES, (long) capacityMib << 20);
    SampleHFile file = SampleHFile.write(directory.resolve(HFILE), 25);
    NvHBaseBlockCache before = restarted(site);
    try (HFile.Reader reader = file.open(before)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
    long cached = before.getBlockCount();
    assertThat(cached).isPositive();
    before.shutdown();

    NvHBaseBlockCache after = restarted(site);
    try (HFile.Reader reader = file.open(after)) {
      // The index hashes with another seed: a block may find both its buckets full.
      assertThat(after.getBlockCount()).isBetween(cached - 5, cached);
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
      assertThat(after.getStats().getHitCount()).isGreaterThanOrEqualTo(cached - 5);
    } finally {
      after.shutdown();
    }
  }

  private static NvHBaseBlockCache restarted(Configuration site) {
    NvHBaseBlockCache cache = new NvHBaseBlockCache(site);
    while (cache.engine().control().restore().state() == State.RESTORING) {
      cache.getFullyCachedFiles(); // Too early an answer is not held against a file.
    }
    return cache;
  }

  private static void prefetch(SampleHFile file, NvHBaseBlockCache cache) throws Exception {
    try (HFile.Reader reader = file.open(cache)) {
      while (!PrefetchExecutor.isCompleted(reader.getPath())) {
        Thread.sleep(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"table.snapshot", "0123456789ABCDEF0123456789ABCDEF", "hfile", ""})
  void shouldNotKnowAFileByANameThatAnotherMayHave(String name) {
    assertThat(StoreFileIdentity.of(name, null)).isEmpty();
  }

  @Test
  void shouldKnowFilesByAllOfTheirNames() {
    FileIdentity plain = StoreFileIdentity.of(HFILE, null).orElseThrow();
    for (String suffix : Arrays.asList("_SeqId_4_", ".fedcba98765432100123456789abcdef", "0")) {
      assertThat(StoreFileIdentity.of(HFILE + suffix, null).orElseThrow()).isNotEqualTo(plain);
    }
  }

  /** HBase's ids of classes are those of a process; another may give them to other classes. */
  @Test
  void shouldNotUseIdsOfTheProcessForBlocksOfHFiles() {
    BlockPayload payload = new BlockPayload(ReadMode.COPY);
    HFileBlock block = SampleHFile.block(BlockType.DATA);
    ByteBuffer bytes = payload.encode(block);
    assertThat(bytes.getInt(bytes.limit() - Integer.BYTES)).isEqualTo(-1);
  }
}
