// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.HookedEviction.Call;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A policy that does not return is found out, and named; the medium is not blamed. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class StuckPolicyTest {
  private static final int LENGTH = 4096;

  private final AtomicLong now = new AtomicLong();
  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private HookedEviction eviction;

  private void hang() {
    inside.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"ON_ADMIT", "ON_HIT", "ON_REMOVE"})
  void shouldBeNamedAsTheReasonOfAnOutage(Call stuck) throws Exception {
    try (BlockCache cache =
        BlockCache.builder()
            .nativeMemory(1 << 20)
            .maxBlockBytes(LENGTH)
            .policies(PolicyPreset.ADMIT_ALL)
            .smallBypassDramBytes(0)
            .mediumStuckAfter(Duration.ofSeconds(2))
            .testing(TestHook.nanoTime(now::get))
            .maintainedByCaller()
            .eviction(context -> eviction = new HookedEviction(context))
            .build()) {
      eviction.hook =
          call -> {
            if (call == stuck) {
              hang();
            }
          };
      Thread caller =
          new Thread(
              () -> {
                cache.offer(1, 0, ByteBuffer.allocate(LENGTH), Source.READ);
                cache.get(1, 0, ByteBuffer.allocate(LENGTH));
                cache.invalidate(1, 0);
              },
              "a reader of the store");
      caller.start();
      inside.await();
      for (int i = 0; i < 6; i++) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        cache.control().maintain();
      }

      assertThat(cache.control().health().inService()).isFalse();
      assertThat(cache.control().health().stuckCalls()).isEqualTo(1);
      assertThat(cache.control().health().reason())
          .contains("calls do not end: a policy does not return")
          .contains("a reader of the store")
          .contains("is in io.nvcache.HookedEviction.on")
          .doesNotContain("medium");
      goOn.countDown();
      caller.join();
    }
  }
}
