// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.OfferResult;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.hbase.ForeignBlock;
import io.nvcache.hbase.NvHBaseBlockCache;
import io.nvcache.hbase.SampleHFile;
import io.nvcache.hbase.TwoTiers;
import java.nio.file.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TwoTierBlockCacheTest {
  private static final BlockCacheKey KEY = new BlockCacheKey("hfile", 0);

  @TempDir private Path directory;

  private final BlockCache engine =
      BlockCache.builder().nativeMemory(64 << 20).admission(AdmissionPresets.admitAll()).build();
  private final NvHBaseBlockCache second = new NvHBaseBlockCache(engine, new FileIdRegistry());
  private final TwoTiers tiers = new TwoTiers(second);

  @AfterEach
  void close() {
    tiers.both().shutdown();
  }

  @Test
  void shouldPutADataBlockIntoBothTiers() {
    tiers.both().cacheBlock(KEY, new ForeignBlock("block"), false, false);
    assertThat(tiers.dram().containsBlock(KEY)).isTrue();
    assertThat(second.getBlockCount()).isEqualTo(1);
  }

  @Test
  void shouldAnswerFromDramWithoutAskingBelow() {
    tiers.both().cacheBlock(KEY, new ForeignBlock("block"));
    assertThat(tiers.both().getBlock(KEY, true, false, true)).isEqualTo(new ForeignBlock("block"));
    assertThat(engine.stats().lookups()).isZero();
    assertThat(tiers.dram().getStats().getHitCount()).isEqualTo(1);
  }

  @Test
  void shouldBringWhatIsFoundBelowBackIntoDramWithoutOfferingItAgain() {
    tiers.both().cacheBlock(KEY, new ForeignBlock("block"));
    tiers.dram().evictBlock(KEY);

    assertThat(tiers.both().getBlock(KEY, true, false, true)).isEqualTo(new ForeignBlock("block"));
    assertThat(tiers.dram().containsBlock(KEY)).isTrue();
    assertThat(engine.stats().hits()).isEqualTo(1);
    assertThat(engine.stats().offers(OfferResult.ADMITTED)).isEqualTo(1);
    assertThat(engine.stats().offers(OfferResult.ALREADY_CACHED)).isZero();
  }

  @Test
  void shouldAskBothTiersForABlockOfAnExpectedType() {
    tiers.both().cacheBlock(KEY, new ForeignBlock("block"));
    assertThat(tiers.both().getBlock(KEY, true, false, true, BlockType.DATA)).isNotNull();
    assertThat(tiers.dram().getStats().getHitCount()).isEqualTo(1);
    tiers.dram().evictBlock(KEY);
    assertThat(tiers.both().getBlock(KEY, true, false, true, BlockType.DATA)).isNotNull();
    assertThat(tiers.dram().containsBlock(KEY)).isTrue();
  }

  @Test
  void shouldLeaveDramAloneWhenTheReaderDoesNotCache() {
    second.cacheBlock(KEY, new ForeignBlock("block"));
    assertThat(tiers.both().getBlock(KEY, false, false, true)).isNotNull();
    assertThat(tiers.dram().containsBlock(KEY)).isFalse();
  }

  @Test
  void shouldFindBelowWhatWasLoadedWhileTheReaderWaited() {
    assertThat(tiers.both().getBlock(KEY, true, false, true)).isNull();
    second.cacheBlock(KEY, new ForeignBlock("block"));
    assertThat(tiers.both().getBlock(KEY, true, true, true)).isEqualTo(new ForeignBlock("block"));
  }

  @Test
  void shouldEvictFromBothTiers() {
    tiers.both().cacheBlock(KEY, new ForeignBlock("block"));
    assertThat(tiers.both().evictBlock(KEY)).isTrue();
    assertThat(tiers.dram().containsBlock(KEY)).isFalse();
    assertThat(second.evictBlock(KEY)).isFalse();
    assertThat(tiers.both().evictBlock(KEY)).isFalse();
  }

  @Test
  void shouldCountEachReadOnce() throws Exception {
    SampleHFile file = SampleHFile.write(directory.resolve("hfile"), 1);
    int blocks = file.countDataBlocks();
    try (HFile.Reader reader = file.open(tiers.both())) {
      file.countEqualCells(reader);
      file.countEqualCells(reader);
      tiers.dram().evictBlocksByHfileName("hfile");
      assertThat(file.countEqualCells(reader)).isEqualTo(SampleHFile.CELLS);
    }
    assertThat(tiers.both().getStats().getMissCount()).isEqualTo(blocks);
    assertThat(tiers.dram().getStats().getHitCount()).isEqualTo(blocks);
    assertThat(second.getStats().getHitCount()).isEqualTo(blocks);
    assertThat(tiers.both().getStats().getRequestCount()).isEqualTo(3L * blocks);
  }
}
