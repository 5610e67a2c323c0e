// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.admission.Candidate;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.Sweep;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A policy that throws or lies costs hits, never the store's reads. */
final class FailingPolicyTest {
  private static final int LENGTH = 4096;

  /** Fails at all it is told, with errors where the engine holds a lock. */
  private static final class Broken implements EvictionPolicy {
    private final int victim;

    Broken(int victim) {
      this.victim = victim;
    }

    @Override
    public void onAdmit(int slot) {
      throw new AssertionError("onAdmit");
    }

    @Override
    public void onHit(int slot) {
      throw new IllegalStateException("onHit");
    }

    @Override
    public void onRemove(int slot) {
      throw new AssertionError("onRemove");
    }

    @Override
    public int victim() {
      if (victim == 0) {
        throw new IllegalStateException("victim");
      }
      return victim;
    }

    @Override
    public void sweep(Sweep sweep) {}

    @Override
    public long metadataBytes() {
      return 0;
    }

    @Override
    public void close() {
      throw new IllegalStateException("close");
    }
  }

  @Test
  void shouldServeBlocksBesideABrokenEvictionPolicy() {
    for (int victim : new int[] {0, -77, Integer.MAX_VALUE}) {
      try (BlockCache cache =
          BlockCache.builder()
              .nativeMemory(1 << 20)
              .maxBlockBytes(LENGTH)
              .expectedBlockBytes(1024)
              .admission(AdmissionPresets.admitAll())
              .eviction(context -> new Broken(victim))
              .maintainedByCaller()
              .build()) {
        int admitted = 0;
        for (int i = 0; i < 1000; i++) {
          long offset = (long) i * LENGTH;
          OfferResult result = cache.offer(1, offset, TestBlock.of(1, offset, LENGTH), Source.READ);
          assertThat(result).isIn(OfferResult.ADMITTED, OfferResult.NO_SPACE);
          admitted += result == OfferResult.ADMITTED ? 1 : 0;
          ByteBuffer dst = ByteBuffer.allocate(LENGTH);
          if (cache.get(1, offset, dst) == LENGTH) {
            TestBlock.assertMatches(dst.flip(), 1, offset, LENGTH);
          }
        }
        assertThat(admitted).isEqualTo((1 << 20) / LENGTH);
        assertThat(cache.invalidate(1, 0)).isTrue();
        assertThat(cache.stats().hits()).isEqualTo(admitted);
        cache.invalidateFile(1);
        cache.control().maintain();
        assertThat(cache.stats().usedBytes()).isZero();
      }
    }
  }

  /** Both policies at once. */
  private static final class Both implements EvictionPolicy, AdmissionPolicy {
    private int closed;

    @Override
    public AdmissionDecision decide(Candidate candidate) {
      return AdmissionDecision.ADMIT;
    }

    @Override
    public void onAdmit(int slot) {}

    @Override
    public void onHit(int slot) {}

    @Override
    public void onRemove(int slot) {}

    @Override
    public int victim() {
      return NO_VICTIM;
    }

    @Override
    public void sweep(Sweep sweep) {}

    @Override
    public long metadataBytes() {
      return 0;
    }

    @Override
    public void close() {
      closed++;
    }
  }

  @Test
  void shouldCloseAnObjectThatIsBothPoliciesOnce() {
    Both both = new Both();
    try (BlockCache cache =
        BlockCache.builder()
            .nativeMemory(8 << 20)
            .admission(context -> both)
            .eviction(context -> both)
            .build()) {
      assertThat(cache.offer(1, 0, TestBlock.of(1, 0, LENGTH), Source.READ))
          .isEqualTo(OfferResult.ADMITTED);
    }
    assertThat(both.closed).isEqualTo(1);
  }

  @Test
  void shouldCloseAnObjectThatIsBothPoliciesOnceIfTheCacheIsNotBuilt() {
    Both both = new Both();
    assertThatThrownBy(
            () ->
                BlockCache.builder()
                    .nativeMemory(8 << 20)
                    .admission(context -> both)
                    .eviction(context -> both)
                    .shadows(0.1)
                    .build())
        .isInstanceOf(RuntimeException.class);
    assertThat(both.closed).isEqualTo(1);
  }

  @Test
  void shouldTakeABrokenAdmissionPolicyForARefusal() {
    try (BlockCache cache =
        BlockCache.builder()
            .nativeMemory(8 << 20)
            .admission(
                context ->
                    candidate -> {
                      throw new IllegalStateException("decide");
                    })
            .build()) {
      assertThat(cache.offer(1, 0, TestBlock.of(1, 0, LENGTH), Source.READ))
          .isEqualTo(OfferResult.NOT_WORTH_IT);
    }
  }
}
