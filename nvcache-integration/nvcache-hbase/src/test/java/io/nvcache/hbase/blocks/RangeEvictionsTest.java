// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import io.nvcache.hbase.LocalCluster;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangeEvictionsTest {
  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(4 << 20)
          .expectedBlockBytes(1024)
          .policies(PolicyPreset.ADMIT_ALL)
          .build();

  @BeforeEach
  void fill() {
    for (long file = 1; file <= 2; file++) {
      for (long offset = 0; offset < 100; offset++) {
        assertThat(cache.offer(file, offset, ByteBuffer.allocate(10), Source.READ))
            .isEqualTo(OfferResult.ADMITTED);
      }
    }
  }

  @AfterEach
  void close() {
    cache.close();
  }

  @Test
  void shouldForgetAPartAtOnceWhereTheWalkIsShort() {
    try (RangeEvictions evictions = new RangeEvictions(cache, 200)) {
      assertThat(evictions.evict(1, 10, 29)).isEqualTo(20);
      assertThat(evictions.evict(3, 0, 99)).isZero();
    }
    assertThat(cache.control().countBlocks(1)).isEqualTo(80);
    assertThat(cache.control().countBlocks(2)).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  void shouldForgetPartsInTheBackgroundWhereItIsLong(int parts) throws Exception {
    try (RangeEvictions evictions = new RangeEvictions(cache, 0)) {
      for (int part = 0; part < parts; part++) {
        assertThat(evictions.evict(1, 2 * part, 2 * part + 1)).isZero();
      }
      LocalCluster.await("their end", () -> cache.control().countBlocks(1) <= 100 - 2 * parts);
    }
    assertThat(cache.control().countBlocks(1)).isEqualTo(100 - 2 * parts);
    assertThat(cache.control().countBlocks(2)).isEqualTo(100);
  }

  @Test
  void shouldDoNothingOnceItIsClosed() {
    RangeEvictions evictions = new RangeEvictions(cache, 0);
    evictions.close();
    assertThat(evictions.evict(1, 0, 99)).isZero();
    assertThat(cache.control().countBlocks(1)).isEqualTo(100);
  }
}
