// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.control.Condition;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.Sweep;
import java.nio.ByteBuffer;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a policy throws, anywhere, costs it its say and the store nothing. */
final class PolicyErrorsTest {
  private static final int LENGTH = 4096;

  /** Its message throws, too, when it is logged. */
  private static final class Unspeakable extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }

  /** What is thrown at the calls of a policy. */
  private static Stream<Supplier<Error>> errors() {
    return Stream.of(
        () -> new AssertionError("injected"),
        () -> new OutOfMemoryError("injected"),
        StackOverflowError::new,
        () -> new NoClassDefFoundError("injected"),
        Unspeakable::new);
  }

  /** Throws from every method, but admits blocks. */
  private record Broken(Supplier<Error> error, boolean admits)
      implements EvictionPolicy, AdmissionPolicy {
    @Override
    public AdmissionDecision decide(Candidate candidate) {
      if (!admits) {
        throw error.get();
      }
      return AdmissionDecision.ADMIT;
    }

    @Override
    public void refund(Candidate candidate) {
      throw error.get();
    }

    @Override
    public boolean mayEvict() {
      throw error.get();
    }

    @Override
    public OptionalDouble overhead() {
      throw error.get();
    }

    @Override
    public void onAdmit(int slot) {
      throw error.get();
    }

    @Override
    public void onHit(int slot) {
      throw error.get();
    }

    @Override
    public void onRemove(int slot) {
      throw error.get();
    }

    @Override
    public int victim() {
      throw error.get();
    }

    @Override
    public int worth(int slot) {
      throw error.get();
    }

    @Override
    public void sweep(Sweep sweep) {
      throw error.get();
    }

    @Override
    public long metadataBytes() {
      throw error.get();
    }

    @Override
    public void close() {
      throw error.get();
    }
  }

  private static BlockCacheBuilder builder(Broken policy, long[] now) {
    return BlockCache.builder()
        .nativeMemory(1 << 20)
        .maxBlockBytes(LENGTH)
        .expectedBlockBytes(LENGTH)
        .smallBypassDramBytes(0)
        .testing(TestHook.nanoTime(() -> now[0]))
        .admission(context -> policy)
        .eviction(context -> new Broken(policy.error, policy.admits))
        .maintainedByCaller();
  }

  private static OfferResult offer(BlockCache cache, int block) {
    long offset = (long) block * LENGTH;
    return cache.offer(1, offset, TestBlock.of(1, offset, LENGTH), Source.READ);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void shouldCostTheStoreNothing(Supplier<Error> error) {
    long[] now = {0};
    try (BlockCache cache = builder(new Broken(error, true), now).build()) {
      int blocks = (1 << 20) / LENGTH;
      for (int i = 0; i < 4 * blocks; i++) {
        assertThat(offer(cache, i)).isIn(OfferResult.ADMITTED, OfferResult.NO_SPACE);
      }
      ByteBuffer dst = ByteBuffer.allocate(LENGTH);
      int hits = 0;
      for (int i = 0; i < 4 * blocks; i++) {
        if (cache.get(1, (long) i * LENGTH, dst.clear()) == LENGTH) {
          TestBlock.assertMatches(dst.flip(), 1, (long) i * LENGTH, LENGTH);
          hits++;
        }
      }
      assertThat(hits).isGreaterThan(blocks / 2);
      assertThat(cache.stats().overhead()).isEmpty();
      for (int second = 0; second < 2; second++) {
        now[0] += TimeUnit.SECONDS.toNanos(1);
        cache.control().maintain();
      }
      assertThat(cache.control().conditions()).containsOnlyKeys(Condition.POLICY_FAILING);
      cache.invalidateFile(1);
      cache.control().maintain();
      assertThat(cache.stats().blocks()).isZero();
      assertThat(cache.stats().usedBytes()).isZero();
      assertThat(cache.control().ledger().policyFailures()).isGreaterThan(4L * blocks);
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  void shouldTakeAnErrorOfADecisionForARefusal(Supplier<Error> error) {
    try (BlockCache cache = builder(new Broken(error, false), new long[1]).build()) {
      assertThat(offer(cache, 0)).isEqualTo(OfferResult.NOT_WORTH_IT);
      assertThat(cache.offer(1, 0, LENGTH, () -> ByteBuffer.allocate(LENGTH), Source.READ))
          .isEqualTo(OfferResult.NOT_WORTH_IT);
      assertThat(cache.control().ledger().policyFailures()).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  void shouldCostOnlyItsShadowsTheirSay(Supplier<Error> error) {
    try (BlockCache cache =
        builder(new Broken(error, true), new long[1])
            .admission(context -> new Broken(error, true))
            .shadows(0.5)
            .build()) {
      for (int i = 0; i < 2000; i++) {
        offer(cache, i);
        cache.get(1, (long) i * LENGTH, ByteBuffer.allocate(LENGTH));
        if (i % 100 == 0) {
          cache.control().maintain();
        }
      }
      assertThat(cache.control().shadows().report().sampledLookups()).isPositive();
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  void shouldTakeNoDecisionForARefusal(Supplier<Error> error) {
    try (BlockCache cache =
        builder(new Broken(error, true), new long[1])
            .admission(context -> candidate -> null)
            .build()) {
      assertThat(offer(cache, 0)).isEqualTo(OfferResult.NOT_WORTH_IT);
    }
  }
}
