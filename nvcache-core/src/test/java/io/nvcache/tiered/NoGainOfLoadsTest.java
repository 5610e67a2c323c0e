// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.Condition;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That a second tier says so when loads are as fast as its hits. */
final class NoGainOfLoadsTest {
  private static final int BLOCK = 4096;
  private static final int MICROS = 1000;

  /** Half of the samples and a few more: a full bucket of the index may displace a block. */
  private static final int BLOCKS = LoadComparison.SAMPLES / 2 + 8;

  private long now;

  /** A second tier whose reads take so long. */
  private BlockCache second(long readMicros) {
    FaultyMedium medium =
        new FaultyMedium(NativeMedium.allocate(8 << 20)) {
          @Override
          public void read(long offset, ByteBuffer dst, int length) throws IOException {
            now += readMicros * MICROS;
            super.read(offset, dst, length);
          }
        };
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(BLOCK)
        .expectedBlockBytes(BLOCK)
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller()
        .build();
  }

  private BlockLoader loader(long micros) {
    return (fileId, offset) -> {
      now += micros * MICROS;
      return ByteBuffer.allocate(BLOCK).putLong(0, offset);
    };
  }

  @ParameterizedTest
  @CsvSource({"100, 100, true", "100, 70, true", "100, 5000, false"})
  void shouldCompareLoadsWithHits(long readMicros, long loadMicros, boolean noGain)
      throws IOException {
    try (BlockCache second = second(readMicros);
        TieredBlockCache cache =
            TieredBlockCache.builder(0, loader(loadMicros))
                .secondTier(second)
                .executor(Runnable::run)
                .nanoTime(() -> now)
                .build()) {
      for (int round = 0; round < 4; round++) {
        assertThat(second.control().conditions()).isEmpty();
        for (int i = 0; i < BLOCKS; i++) {
          // Each block is loaded in one round and found in the next.
          cache.get(1, (round / 2 * BLOCKS + i) * (long) BLOCK, BLOCK, Source.READ);
        }
      }
      cache.get(2, 0, BLOCK, Source.READ);
      assertThat(second.control().conditions().containsKey(Condition.NO_GAIN)).isEqualTo(noGain);
      if (noGain) {
        assertThat(second.control().conditions().get(Condition.NO_GAIN))
            .startsWith("a load takes " + loadMicros + " us, and a hit of the second tier 100 us");
      }
    }
  }

  @Test
  void shouldCompareOnce() {
    LoadComparison comparison = new LoadComparison();
    for (int i = 0; i < LoadComparison.SAMPLES; i++) {
      comparison.hit(10);
    }
    for (int i = 1; i < LoadComparison.SAMPLES; i++) {
      assertThat(comparison.load(20)).isFalse();
    }
    assertThat(comparison.load(20)).isFalse();
    for (int i = 0; i < 10 * LoadComparison.SAMPLES; i++) {
      assertThat(comparison.load(1)).isFalse();
    }
  }
}
