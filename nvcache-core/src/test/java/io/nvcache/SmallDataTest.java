// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.memory.SystemMemory;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Data far smaller than the machine's memory, told to the cache as stores tell it. */
final class SmallDataTest {
  private static final int LENGTH = 4096;
  private static final int FILES = 4;
  private static final int BLOCKS_OF_A_FILE = 256;
  private static final int READS = 40_000;

  private static BlockCacheBuilder builder() {
    return BlockCache.builder()
        .nativeMemory(2 << 20)
        .expectedBlockBytes(LENGTH)
        .maxBlockBytes(LENGTH)
        .testing(TestHook.hashSeed(7))
        .maintainedByCaller();
  }

  /** Reads as a store does, and counts what the cache served. */
  private static long hits(BlockCache cache) {
    for (int file = 0; file < FILES; file++) {
      cache.control().dataSet().register(file, (long) BLOCKS_OF_A_FILE * LENGTH);
    }
    SplittableRandom random = new SplittableRandom(0x5a11);
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    for (int read = 0; read < READS; read++) {
      int block = (int) (FILES * BLOCKS_OF_A_FILE * Math.pow(random.nextDouble(), 3));
      long file = block % FILES;
      long offset = (long) (block / FILES) * LENGTH;
      if (cache.get(file, offset, dst.clear()) == BlockCache.MISS) {
        cache.offer(file, offset, TestBlock.of(file, offset, LENGTH), Source.READ);
      } else {
        TestBlock.assertMatches(dst.flip(), file, offset, LENGTH);
      }
    }
    return cache.stats().hits();
  }

  @Test
  void shouldServeFromADefaultCacheWhatATunedOneServes() {
    try (BlockCache byDefault = builder().build();
        BlockCache tuned = builder().smallBypassDramBytes(0).build()) {
      long wanted = hits(tuned);
      assertThat(wanted).isGreaterThan(READS / 2);
      assertThat(hits(byDefault)).isGreaterThanOrEqualTo(wanted * 8 / 10);
    }
  }

  @ParameterizedTest
  @EnumSource(PolicyPreset.class)
  void shouldBypassByThePapersRuleWithItsPresetsOnly(PolicyPreset preset) {
    boolean paper = preset.label().startsWith("paper");
    try (BlockCache cache = builder().policies(preset).build()) {
      assertThat(cache.control().settings().smallBypassDramBytes())
          .isEqualTo(paper ? SystemMemory.totalBytes() : 0);
      hits(cache);
      assertThat(cache.stats().offers(OfferResult.BYPASSED_SMALL) > 0).isEqualTo(paper);
    }
  }

  @Test
  void shouldTakeTheDramThatWasChosenBeforeOrAfterThePreset() {
    try (BlockCache before =
            builder().smallBypassDramBytes(5).policies(PolicyPreset.PAPER).build();
        BlockCache after = builder().policies(PolicyPreset.PAPER).smallBypassDramBytes(0).build();
        BlockCache changed =
            builder().policies(PolicyPreset.PAPER).policies(PolicyPreset.DEFAULT).build()) {
      assertThat(before.control().settings().smallBypassDramBytes()).isEqualTo(5);
      assertThat(after.control().settings().smallBypassDramBytes()).isZero();
      assertThat(changed.control().settings().smallBypassDramBytes())
          .as("the last preset's")
          .isZero();
    }
  }
}
