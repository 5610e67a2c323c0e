// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.OfferResult;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.hbase.ForeignBlock;
import io.nvcache.hbase.NvHBaseBlockCache;
import io.nvcache.hbase.SampleHFile;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MetaFirstTest {
  private final AtomicInteger takenBack = new AtomicInteger();
  private AdmissionDecision decision = AdmissionDecision.ADMIT;

  private final BlockCache engine =
      BlockCache.builder()
          .nativeMemory(16 << 20)
          .admission(MetaFirst.over(context -> new OneDecision()))
          .build();
  private final NvHBaseBlockCache cache = new NvHBaseBlockCache(engine, new FileIdRegistry());

  private final class OneDecision implements AdmissionPolicy {
    @Override
    public AdmissionDecision decide(Candidate candidate) {
      return decision;
    }

    @Override
    public void refund(Candidate candidate) {
      takenBack.incrementAndGet();
    }
  }

  @AfterEach
  void close() {
    cache.shutdown();
  }

  @ParameterizedTest
  @CsvSource({
    "DATA, NOT_WORTH_IT, false",
    "ENCODED_DATA, BYPASS_OVERHEAD, false",
    "LEAF_INDEX, NOT_WORTH_IT, true",
    "INTERMEDIATE_INDEX, BYPASS_OVERHEAD, true",
    "BLOOM_CHUNK, BYPASS_OVERHEAD, true",
    "META, NOT_WORTH_IT, true",
    "META, BYPASS_SMALL, false",
    "DATA, ADMIT, true"
  })
  void shouldTakeMetaBlocksWhateverTheBudget(
      BlockType type, AdmissionDecision decision, boolean taken) {
    this.decision = decision;
    cache.cacheBlock(new BlockCacheKey("hfile", 0), new ForeignBlock("block", type));
    assertThat(engine.stats().offers(OfferResult.ADMITTED)).isEqualTo(taken ? 1 : 0);
    assertThat(engine.stats().importantBytes() > 0)
        .as("kept within the share")
        .isEqualTo(taken && type != BlockType.DATA);
    cache.cacheBlock(new BlockCacheKey("hfile", 1), new ForeignBlock("block", BlockType.DATA));
    assertThat(engine.stats().offers(OfferResult.ADMITTED))
        .as("the next data block has no priority")
        .isEqualTo((taken ? 1 : 0) + (decision == AdmissionDecision.ADMIT ? 1 : 0));
  }

  @ParameterizedTest
  @EnumSource(
      value = AdmissionDecision.class,
      names = {"ADMIT", "NOT_WORTH_IT"})
  void shouldGiveBackWhatThePolicyWasCharged(AdmissionDecision decision) {
    this.decision = decision;
    // Fails after admission has said yes.
    cache.cacheBlock(new BlockCacheKey("hfile", 0), ForeignBlock.failing(BlockType.META));
    assertThat(takenBack).hasValue(decision == AdmissionDecision.ADMIT ? 1 : 0);
    assertThat(cache.getStats().getFailedInserts()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = BlockType.class,
      names = {"DATA", "LEAF_INDEX"})
  void shouldCountDataBlocksApart(BlockType other) {
    for (int i = 0; i < 10; i++) {
      cache.cacheBlock(new BlockCacheKey("hfile", i), new ForeignBlock("block", BlockType.DATA));
    }
    cache.cacheBlock(new BlockCacheKey("hfile", 10), SampleHFile.block(other));
    int meta = other == BlockType.DATA ? 0 : 1;
    assertThat(cache.getBlockCount()).isEqualTo(11);
    assertThat(cache.getDataBlockCount()).isEqualTo(11 - meta);
    assertThat(cache.getCurrentDataSize())
        .isEqualTo(
            engine.stats().blockBytes()
                - meta * (SampleHFile.block(other).getSerializedLength() + 4L));
  }
}
