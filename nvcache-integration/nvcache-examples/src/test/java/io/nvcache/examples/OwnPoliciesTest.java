// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class OwnPoliciesTest {
  private static final int BLOCK = 16 << 10;

  @Test
  void shouldTakeABlockTheSecondTime() {
    try (BlockCache cache = OwnPolicies.open(64 << 20)) {
      ByteBuffer block = ByteBuffer.allocate(BLOCK);
      for (int lookup = 0; lookup < 100; lookup++) {
        assertThat(cache.get(1, 0, block)).isEqualTo(BlockCache.MISS);
      }
      assertThat(cache.offer(1, 0, block, Source.READ)).isEqualTo(OfferResult.NOT_WORTH_IT);
      assertThat(cache.offer(1, 0, block, Source.READ)).isEqualTo(OfferResult.ADMITTED);
      assertThat(cache.get(1, 0, block)).isEqualTo(BLOCK);
    }
  }

  @Test
  void shouldForgetOffersAfterAsManyAsThereAreBlocks() {
    try (BlockCache cache = OwnPolicies.open(16 << 20)) {
      ByteBuffer block = ByteBuffer.allocate(BLOCK);
      for (int lookup = 0; lookup < 1000; lookup++) {
        cache.get(1, 0, block);
      }
      cache.offer(1, 0, block, Source.READ);
      for (int other = 1; other <= (16 << 20) / BLOCK; other++) {
        cache.offer(2, (long) other * BLOCK, block, Source.READ);
      }
      assertThat(cache.offer(1, 0, block, Source.READ)).isEqualTo(OfferResult.NOT_WORTH_IT);
    }
  }

  @Test
  void shouldMakeRoomInAFullCacheAndKeepWhatIsHit() {
    try (BlockCache cache =
        BlockCache.builder()
            .nativeMemory(16 << 20)
            .admission(context -> candidate -> AdmissionDecision.ADMIT)
            .eviction(SecondChance::new)
            .build()) {
      ByteBuffer block = ByteBuffer.allocate(BLOCK);
      int blocks = (16 << 20) / BLOCK;
      for (int i = 0; i < 8 * blocks; i++) {
        assertThat(cache.offer(1, (long) i * BLOCK, block.clear(), Source.READ))
            .isEqualTo(OfferResult.ADMITTED);
        assertThat(cache.get(1, 0, block.clear())).as("block 0 after %s", i).isEqualTo(BLOCK);
      }
      assertThat(cache.stats().usedBytes()).isLessThanOrEqualTo(16 << 20);
      assertThat(cache.stats().blocks()).isGreaterThan(blocks * 8L / 10);
    }
  }
}
