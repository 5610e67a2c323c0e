// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Offers whose bytes are asked for only when they are wanted; and pins past their bounds. */
final class LazyOfferTest {
  private static final int BLOCK = 4096;

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger takenBack = new AtomicInteger();

  private AdmissionDecision decision = AdmissionDecision.ADMIT;

  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(1 << 20)
          .maxBlockBytes(16 << 10)
          .maxPinnedBytes(2 * BLOCK)
          .admission(context -> new OneDecision())
          .maintainedByCaller()
          .build();

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
    cache.close();
  }

  private Supplier<ByteBuffer> block(int length) {
    return () -> {
      asked.incrementAndGet();
      return TestBlock.of(1, 0, length);
    };
  }

  private OfferResult offer() {
    return cache.offer(1, 0, BLOCK, block(BLOCK), Source.READ);
  }

  @Test
  void shouldAskForTheBytesOfAnAdmittedBlockOnce() {
    assertThat(offer()).isEqualTo(OfferResult.ADMITTED);
    assertThat(asked).hasValue(1);
    ByteBuffer read = ByteBuffer.allocate(BLOCK);
    assertThat(cache.get(1, 0, read)).isEqualTo(BLOCK);
    assertThat(read.flip()).isEqualTo(TestBlock.of(1, 0, BLOCK));
  }

  @Test
  void shouldNotAskForTheBytesOfADuplicateOrARefusedBlock() {
    offer();
    assertThat(offer()).isEqualTo(OfferResult.ALREADY_CACHED);
    decision = AdmissionDecision.NOT_WORTH_IT;
    assertThat(cache.offer(2, 0, BLOCK, block(BLOCK), Source.READ))
        .isEqualTo(OfferResult.NOT_WORTH_IT);
    assertThat(cache.offer(2, 0, 20 << 10, block(20 << 10), Source.READ))
        .isEqualTo(OfferResult.TOO_LARGE);
    assertThat(asked).hasValue(1);
  }

  @Test
  void shouldCacheNothingWhenTheBytesDoNotCome() {
    assertThatThrownBy(() -> cache.offer(1, 0, BLOCK, block(BLOCK - 8), Source.READ))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4088")
        .hasMessageContaining("4096");
    IllegalStateException failure = new IllegalStateException("meant to fail");
    assertThatThrownBy(
            () ->
                cache.offer(
                    1,
                    0,
                    BLOCK,
                    () -> {
                      throw failure;
                    },
                    Source.READ))
        .isSameAs(failure);
    assertThatThrownBy(() -> cache.offer(1, 0, 0, block(0), Source.READ))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(takenBack).hasValue(2);
    assertThat(cache.stats().blocks()).isZero();
    assertThat(cache.stats().usedBytes()).isZero();
    assertThat(offer()).isEqualTo(OfferResult.ADMITTED);
  }

  @Test
  void shouldCopyWhatMayNotBePinned() {
    offer();
    ByteBuffer expected = TestBlock.of(1, 0, BLOCK);
    PinnedBlock pinned = null;
    PinnedBlock last = null;
    for (int i = 0; i < 300; i++) { // More than the bytes allow, and than a slot can count.
      PinnedBlock pin = cache.pinOrCopy(1, 0);
      assertThat(pin).isNotNull();
      assertThat(pin.buffer()).isEqualTo(expected);
      pinned = pinned == null ? pin : pinned;
      last = pin;
    }
    assertThat(pinned.buffer().isDirect()).isTrue();
    assertThat(last.buffer().isDirect()).isFalse();
    assertThat(cache.stats().hits()).isEqualTo(300);
    assertThat(cache.stats().refusedPins()).isBetween(298L, 300L);
    assertThat(cache.pin(1, 0)).isNull();
    assertThat(cache.pinOrCopy(1, BLOCK)).isNull();
  }

  @Test
  void shouldCopyABlockThatHasAllThePinsItCanCount() {
    try (BlockCache roomy =
        BlockCache.builder()
            .nativeMemory(16 << 20)
            .admission(context -> new OneDecision())
            .maintainedByCaller()
            .build()) {
      roomy.offer(1, 0, BLOCK, block(BLOCK), Source.READ);
      int direct = 0;
      for (int i = 0; i < 300; i++) {
        PinnedBlock pin = roomy.pinOrCopy(1, 0);
        assertThat(pin).isNotNull();
        assertThat(pin.buffer()).isEqualTo(TestBlock.of(1, 0, BLOCK));
        direct += pin.buffer().isDirect() ? 1 : 0;
      }
      assertThat(direct).isEqualTo(254);
    }
  }
}
