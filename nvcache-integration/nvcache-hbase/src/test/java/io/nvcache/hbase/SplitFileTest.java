// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.admission.AdmissionPresets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The daughters of a split read their parent's file by a name of their own, and the parent's blocks
 * may still be cached.
 */
final class SplitFileTest {
  private static final long SEED = 11;
  private static final String PARENT = "0123456789abcdef0123456789abcdef";
  private static final String HALF = PARENT + ".fedcba9876543210fedcba9876543210";

  @TempDir private Path directory;

  private final BlockCache engine =
      BlockCache.builder().nativeMemory(64 << 20).admission(AdmissionPresets.admitAll()).build();
  private final NvHBaseBlockCache cache = new NvHBaseBlockCache(engine, new FileIdRegistry());
  private SampleHFile half;
  private long blocks;

  @BeforeEach
  void readTheParent() throws Exception {
    SampleHFile parent = SampleHFile.write(directory.resolve(PARENT), SEED);
    half = SampleHFile.write(directory.resolve(HALF), SEED); // HBase reads the parent's file by it.
    blocks = parent.countDataBlocks();
    read(parent);
    assertThat(cache.getBlockCount()).isEqualTo(blocks);
  }

  @AfterEach
  void close() {
    cache.shutdown();
  }

  private void read(SampleHFile file) throws Exception {
    try (HFile.Reader reader = file.open(cache)) {
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
  }

  private long firstBlock() throws Exception {
    try (HFile.Reader reader = half.open(cache)) {
      return reader.getTrailer().getFirstDataBlockOffset();
    }
  }

  @Test
  void shouldServeADaughterFromTheBlocksOfItsParent() throws Exception {
    read(half);

    assertThat(cache.getStats().getHitCount()).isEqualTo(blocks);
    assertThat(engine.stats().lookups()).as("one for each read").isEqualTo(2 * blocks);
    assertThat(cache.getBlockCount()).isEqualTo(blocks);
  }

  @Test
  void shouldAnswerAPrefetchOfADaughterByTheBlocksOfItsParent() throws Exception {
    BlockCacheKey ofParent = new BlockCacheKey(PARENT, firstBlock());
    BlockCacheKey ofHalf = new BlockCacheKey(HALF, firstBlock());

    assertThat(cache.isAlreadyCached(ofHalf)).contains(true);
    assertThat(cache.getBlockSize(ofHalf)).isPresent().isEqualTo(cache.getBlockSize(ofParent));
    assertThat(cache.isAlreadyCached(new BlockCacheKey(HALF, firstBlock() + 1))).contains(false);
  }

  /** HBase 2.6.1 itself caches no block that it reads of a half, unless compactions are off. */
  @Test
  void shouldServeADaughterUntilTheBlocksOfItsParentAreEvicted() throws Exception {
    cache.evictBlocksByHfileName(HALF);
    assertThat(cache.getBlockCount()).as("the parent's stay").isEqualTo(blocks);
    cache.evictBlocksByHfileName(PARENT);
    read(half);
    assertThat(cache.getStats().getHitCount()).isZero();
  }

  @Test
  void shouldReadADaughtersOwnBlockWhereBothAreCached() throws Exception {
    BlockCacheKey ofParent = new BlockCacheKey(PARENT, 7);
    BlockCacheKey ofHalf = new BlockCacheKey(HALF, 7);
    cache.cacheBlock(ofHalf, new ForeignBlock("half"));
    cache.cacheBlock(ofParent, new ForeignBlock("parent"));
    assertThat(cache.getBlock(ofHalf, true, false, true)).isEqualTo(new ForeignBlock("half"));
    assertThat(cache.getBlock(ofParent, true, false, true)).isEqualTo(new ForeignBlock("parent"));
  }

  /** HBase counts the whole file for each daughter, too. */
  @Test
  void shouldReportTheBlocksOfTheParentForEachDaughter() throws Exception {
    for (String daughter : new String[] {"bottom", "top"}) {
      String path = "/" + daughter + "/f/" + HALF;
      cache.filesOf(daughter).compacted(cache, List.of(), StoreFiles.named(path));
    }

    Map<String, Long> reported = cache.getRegionCachedInfo().orElseThrow();

    assertThat(reported).containsOnlyKeys("bottom", "top");
    assertThat(reported.get("bottom")).isEqualTo(reported.get("top"));
    assertThat((double) reported.get("top") / Files.size(directory.resolve(PARENT)))
        .isBetween(0.9, 1.0);
  }

  @Test
  void shouldTakeNoOtherNameForADaughters() {
    cache.cacheBlock(new BlockCacheKey("file", 7), new ForeignBlock("of another"));
    for (String name : new String[] {"file.region", "file.", "." + PARENT, PARENT + "."}) {
      assertThat(cache.getBlock(new BlockCacheKey(name, 7), true, false, true)).isNull();
    }
  }

  @Test
  void shouldNotCacheABlockOfADaughterTwice() throws Exception {
    BlockCacheKey ofHalf = new BlockCacheKey(HALF, firstBlock());
    cache.cacheBlock(ofHalf, new ForeignBlock("evicted from DRAM"));
    assertThat(cache.getBlockCount()).isEqualTo(blocks);
  }

  /** HBase evicts a block that is not what it expects, by the name that it asked for. */
  @Test
  void shouldEvictTheBlockThatADaughterWasServed() throws Exception {
    BlockCacheKey ofHalf = new BlockCacheKey(HALF, firstBlock());
    assertThat(cache.evictBlock(ofHalf)).isTrue();
    assertThat(cache.isAlreadyCached(new BlockCacheKey(PARENT, firstBlock()))).contains(false);
    assertThat(cache.evictBlock(ofHalf)).isFalse();
  }
}
