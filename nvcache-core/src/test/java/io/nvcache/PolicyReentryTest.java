// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nvcache.HookedEviction.Call;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.Candidate;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What policies may call of their cache from inside their calls: whatever could wait for the lock
 * that is held around {@code onAdmit} and {@code onRemove} is refused there at once.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PolicyReentryTest {
  private static final int LENGTH = 4096;
  private static final int BLOCKS = (1 << 20) / LENGTH;

  /** Calls of a cache from inside a policy. */
  enum Reentry {
    INVALIDATE(cache -> cache.invalidate(1, 0)),
    OFFER(cache -> offer(cache, 3)),
    OFFER_ON_DEMAND(
        cache ->
            cache.offer(1, LENGTH, LENGTH, () -> TestBlock.of(1, LENGTH, LENGTH), Source.READ)),
    WALK(cache -> cache.control().walk().next()),
    CLOSE(BlockCache::close),
    IDENTIFY(cache -> cache.identify(1, new FileIdentity(1, 2))),
    INVALIDATE_FILE(cache -> cache.invalidateFile(1)),
    MAINTAIN(cache -> cache.control().maintain()),
    GET(cache -> cache.get(1, 0, ByteBuffer.allocate(LENGTH))),
    PIN(PolicyReentryTest::pin),
    LOOK(
        cache -> {
          cache.stats();
          cache.control().health();
          cache.control().ledger();
          cache.control().conditions();
        });

    /** Refused where a lock of the index is held. */
    static final Set<Reentry> REFUSED = EnumSet.range(INVALIDATE, MAINTAIN);

    private final Consumer<BlockCache> call;

    Reentry(Consumer<BlockCache> call) {
      this.call = call;
    }
  }

  private final List<Throwable> thrown = new ArrayList<>();
  private final List<HookedEviction> policies = new ArrayList<>();
  private long now;
  private boolean inside;
  private HookedEviction eviction;
  private Consumer<BlockCache> inDecide = cache -> {};

  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(1 << 20)
          .maxBlockBytes(LENGTH)
          .expectedBlockBytes(LENGTH)
          .smallBypassDramBytes(0)
          .mediumStuckAfter(Duration.ofMinutes(10))
          .testing(TestHook.nanoTime(() -> now))
          .maintainedByCaller()
          .admission(context -> this::decide)
          .eviction(
              context -> {
                eviction = new HookedEviction(context);
                policies.add(eviction);
                return eviction;
              })
          .build();

  @AfterEach
  void close() {
    eviction.hook = call -> {};
    cache.close();
  }

  private AdmissionDecision decide(Candidate candidate) {
    if (!inside) {
      inside = true;
      inDecide.accept(cache);
      inside = false;
    }
    return AdmissionDecision.ADMIT;
  }

  private static void pin(BlockCache cache) {
    try (PinnedBlock pin = cache.pin(1, 0)) {
      assertThat(pin == null || pin.length() == LENGTH).isTrue();
    }
  }

  private static OfferResult offer(BlockCache cache, int block) {
    long offset = (long) block * LENGTH;
    return cache.offer(1, offset, TestBlock.of(1, offset, LENGTH), Source.READ);
  }

  /** Makes the call once, from inside the next such call of the policy. */
  private void reenter(Call from, Reentry reentry) {
    eviction.hook =
        call -> {
          if (call == from && !inside) {
            inside = true;
            thrown.add(catchThrowable(() -> reentry.call.accept(cache)));
            inside = false;
            eviction.hook = any -> {};
          }
        };
  }

  private void assertOutcome(Reentry reentry) {
    assertThat(thrown).hasSize(1);
    if (Reentry.REFUSED.contains(reentry)) {
      assertThat(thrown.get(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("an eviction policy may not")
          .hasMessageContaining("onAdmit or onRemove");
    } else {
      assertThat(thrown.get(0)).isNull();
    }
    assertThat(cache.control().health().inService()).isTrue();
    assertThat(offer(cache, 5)).as("an offer of another block").isEqualTo(OfferResult.ADMITTED);
    assertThat(cache.get(1, 5L * LENGTH, ByteBuffer.allocate(LENGTH))).isEqualTo(LENGTH);
    assertThat(cache.invalidate(1, 5L * LENGTH)).isTrue();
    assertThat(cache.control().ledger().contradictions()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Reentry.class)
  void shouldRefuseWhatMayWaitForItselfFromOnAdmit(Reentry reentry) {
    reenter(Call.ON_ADMIT, reentry);
    assertThat(offer(cache, 0)).isEqualTo(OfferResult.ADMITTED);
    assertOutcome(reentry);
  }

  @ParameterizedTest
  @EnumSource(Reentry.class)
  void shouldRefuseWhatMayWaitForItselfFromOnRemove(Reentry reentry) {
    offer(cache, 0);
    reenter(Call.ON_REMOVE, reentry);
    assertThat(cache.invalidate(1, 0)).isTrue();
    assertOutcome(reentry);
  }

  /** A round begins with an event of the policy, and wants another lock. */
  @Test
  void shouldRefuseToMaintainFromOnRemove() {
    offer(cache, 0);
    offer(cache, 1);
    cache.invalidateFile(1);
    reenter(Call.ON_REMOVE, Reentry.MAINTAIN);
    cache.control().maintain();
    assertThat(thrown).hasSize(1);
    assertThat(thrown.get(0)).isInstanceOf(IllegalStateException.class);
    cache.control().maintain();
    assertThat(cache.stats().usedBytes()).isZero();
  }

  /** The next block may lie in the bucket that is locked around the first one's event. */
  @Test
  void shouldRefuseToEvictWithinAnEviction() {
    offer(cache, 0);
    eviction.hook =
        call -> {
          if (call == Call.SWEEP) {
            assertThat(eviction.sweep.evict(eviction.victim())).isTrue();
          } else if (call == Call.ON_REMOVE) {
            thrown.add(catchThrowable(() -> eviction.sweep.evict(0)));
          }
        };
    now += TimeUnit.SECONDS.toNanos(1);
    cache.control().maintain();
    assertThat(thrown).hasSize(1);
    assertThat(thrown.get(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("onAdmit or onRemove");
    assertThat(cache.stats().evictions()).isEqualTo(1);
    assertThat(cache.control().ledger().policyFailures()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Reentry.class)
  void shouldCarryOutAllOfItFromDecide(Reentry reentry) {
    offer(cache, 0);
    inDecide =
        same -> {
          thrown.add(catchThrowable(() -> reentry.call.accept(same)));
          inDecide = never -> {};
        };
    OfferResult result = offer(cache, 9);
    assertThat(thrown).hasSize(1);
    assertThat(thrown.get(0)).isNull();
    assertThat(result).isEqualTo(OfferResult.ADMITTED);
  }

  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"ON_HIT", "VICTIM", "SWEEP"})
  void shouldCarryOutAllOfItFromCallsOutsideOfLocks(Call from) {
    for (Reentry reentry : EnumSet.complementOf(EnumSet.of(Reentry.CLOSE))) {
      thrown.clear();
      for (int i = 0; i < BLOCKS; i++) {
        offer(cache, i + 10);
      }
      reenter(from, reentry);
      for (int i = 0; i < 2 * BLOCKS; i++) {
        offer(cache, i + 10);
      }
      cache.get(1, 10L * LENGTH + (long) BLOCKS * LENGTH, ByteBuffer.allocate(LENGTH));
      now += TimeUnit.SECONDS.toNanos(1);
      cache.control().maintain();
      for (int i = 0; i < 2 * BLOCKS; i++) {
        cache.get(1, (long) i * LENGTH, ByteBuffer.allocate(LENGTH));
      }
      assertThat(thrown).as("%s from %s", reentry, from).hasSize(1);
      assertThat(thrown.get(0)).as("%s from %s", reentry, from).isNull();
      eviction.hook = call -> {};
    }
    assertThat(cache.control().ledger().policyFailures()).isZero();
  }

  /** The call that closes is inside: its cache's memory is freed once it has ended, not before. */
  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"ON_HIT", "VICTIM", "SWEEP"})
  void shouldCloseWithoutWaitingForItself(Call from) {
    for (int i = 0; i < BLOCKS; i++) {
      offer(cache, i);
    }
    reenter(from, Reentry.CLOSE);
    cache.get(1, (BLOCKS - 1L) * LENGTH, ByteBuffer.allocate(LENGTH));
    now += TimeUnit.SECONDS.toNanos(1);
    cache.control().maintain();
    for (int i = BLOCKS; offer(cache, i) != OfferResult.CLOSED; i++) {
      assertThat(i).as("offers beyond its room").isLessThan(4 * BLOCKS);
    }
    assertThat(thrown).as("with a patience of ten minutes").hasSize(1);
    assertThat(thrown.get(0)).isNull();
    assertThat(offer(cache, 0)).isEqualTo(OfferResult.CLOSED);
    while (eviction.closed.get() == 0) {
      Thread.onSpinWait();
    }
    assertThat(eviction.closed).hasValue(1);
  }

  /** Another cache's locks are none of this one's. */
  @Test
  void shouldLetAPolicyUseAnotherCache() {
    try (BlockCache other =
        BlockCache.builder()
            .nativeMemory(1 << 20)
            .maxBlockBytes(LENGTH)
            .policies(PolicyPreset.ADMIT_ALL)
            .smallBypassDramBytes(0)
            .build()) {
      eviction.hook =
          call -> {
            offer(other, 1);
            other.invalidate(1, LENGTH);
          };
      assertThat(offer(cache, 0)).isEqualTo(OfferResult.ADMITTED);
      assertThat(cache.invalidate(1, 0)).isTrue();
      assertThat(other.stats().invalidations()).isEqualTo(2);
    }
    assertThat(cache.control().ledger().policyFailures()).isZero();
  }
}
