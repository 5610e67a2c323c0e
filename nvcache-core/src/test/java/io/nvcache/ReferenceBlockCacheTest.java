// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionDecision;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ReferenceBlockCacheTest extends BlockCacheContract {
  @Override
  protected BlockCache create(long maxPinnedBytes) {
    return new ReferenceBlockCache(1 << 20, maxPinnedBytes, candidate -> AdmissionDecision.ADMIT);
  }

  @Test
  void shouldAnswerNoSpaceWhenFullAndWhatAdmissionSays() {
    try (BlockCache cache =
        new ReferenceBlockCache(
            100,
            0,
            candidate ->
                candidate.source() == Source.SCAN
                    ? AdmissionDecision.BYPASS_OVERHEAD
                    : AdmissionDecision.ADMIT)) {
      assertThat(cache.offer(1, 0, ByteBuffer.allocate(60), Source.READ))
          .isEqualTo(OfferResult.ADMITTED);
      assertThat(cache.offer(1, 60, ByteBuffer.allocate(41), Source.READ))
          .isEqualTo(OfferResult.NO_SPACE);
      assertThat(cache.offer(1, 60, ByteBuffer.allocate(10), Source.SCAN))
          .isEqualTo(OfferResult.BYPASSED_OVERHEAD);
      cache.invalidate(1, 0);
      assertThat(cache.offer(1, 60, ByteBuffer.allocate(100), Source.READ))
          .isEqualTo(OfferResult.ADMITTED);
    }
  }
}
