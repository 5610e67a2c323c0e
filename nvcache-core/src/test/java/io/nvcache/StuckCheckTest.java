// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A medium that hangs when it is asked whether it can be used keeps nobody but who asked. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class StuckCheckTest {
  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
  private final AtomicLong now = new AtomicLong();

  @AfterEach
  void heal() {
    medium.heal();
  }

  private BlockCacheBuilder builder() {
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(4096)
        .smallBypassDramBytes(0)
        .mediumStuckAfter(Duration.ofSeconds(2))
        .testing(TestHook.nanoTime(now::get));
  }

  private void pass(BlockCache cache, int seconds) {
    for (int i = 0; i < seconds; i++) {
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      cache.control().maintain();
    }
  }

  private void assertFoundOut(BlockCache cache) {
    assertThat(cache.control().health().inService()).isFalse();
    assertThat(cache.control().health().reason()).contains("hangs");
    assertThat(cache.control().health().stuckCalls()).isEqualTo(1);
    assertThat(medium.injected.get()).as("not asked again before it answers").isEqualTo(1);
  }

  @Test
  void shouldBeFoundOutByTheBackground() {
    try (BlockCache cache = builder().build()) {
      medium.inject(Fault.STUCK_CHECK);
      pass(cache, 1);
      medium.awaitInjection();
      pass(cache, 6);

      assertFoundOut(cache);
      medium.heal();
    }
  }

  @Test
  void shouldBeFoundOutByAnotherThreadThatMaintainsTheCache() throws Exception {
    try (BlockCache cache = builder().maintainedByCaller().build()) {
      medium.inject(Fault.STUCK_CHECK);
      Thread caller = new Thread(() -> pass(cache, 1));
      caller.start();
      medium.awaitInjection();
      pass(cache, 6);

      assertFoundOut(cache);
      medium.heal();
      caller.join();
    }
  }
}
