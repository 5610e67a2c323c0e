// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.control.Condition;
import io.nvcache.control.TuningBounds;
import io.nvcache.control.TuningReport;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A medium that hangs while the tuner reads it is found out, and keeps nobody but that read. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TuningHangTest {
  private static final TuningBounds BOUNDS = new TuningBounds(0.01, 0.5, Duration.ofNanos(20_000));

  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
  private final AtomicLong now = new AtomicLong();
  private final Set<Thread> before = tuningThreads();

  private BlockCacheBuilder builder() {
    return BlockCache.builder()
        .medium(medium)
        .maxBlockBytes(4096)
        .smallBypassDramBytes(0)
        .mediumStuckAfter(Duration.ofMillis(50))
        .testing(TestHook.nanoTime(now::get));
  }

  @AfterEach
  void heal() {
    medium.heal();
  }

  private void pass(BlockCache cache, int seconds) {
    for (int i = 0; i < seconds; i++) {
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      cache.control().maintain();
    }
  }

  private static Set<Thread> tuningThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("nvcache-tuning-"))
        .collect(Collectors.toSet());
  }

  /** Those of other tests may be about to end. */
  private Set<Thread> newTuningThreads() {
    Set<Thread> fresh = new HashSet<>(tuningThreads());
    fresh.removeAll(before);
    return fresh;
  }

  private Thread measurer() {
    assertThat(newTuningThreads()).hasSize(1);
    return newTuningThreads().iterator().next();
  }

  private static void assertOutOfServiceButAnswering(BlockCache cache) {
    assertThat(cache.control().health().inService()).isFalse();
    assertThat(cache.control().health().reason()).contains("hangs");
    assertThat(cache.control().conditions()).containsKey(Condition.OUT_OF_SERVICE);
    assertThat(cache.control().tuning().report().state()).isEqualTo(TuningReport.State.EXPLORING);
    cache.control().tuning().stop();
    assertThat(cache.control().tuning().report().state()).isEqualTo(TuningReport.State.OFF);
  }

  @Test
  void shouldBeFoundOutByTheBackgroundAndNotFreedUnderTheRead() throws Exception {
    BlockCache cache = builder().build();
    cache.control().tuning().start(BOUNDS);
    medium.inject(Fault.STUCK_READ);
    pass(cache, 1);
    medium.awaitInjection();
    Thread measurer = measurer();
    pass(cache, 10);

    assertOutOfServiceButAnswering(cache);
    cache.control().tuning().start(BOUNDS);
    pass(cache, 10);
    assertThat(medium.injected.get()).as("one read at a time").isEqualTo(1);
    assertThat(measurer.isDaemon()).isTrue();

    cache.close();
    assertThat(medium.closed.get()).as("a read is inside").isZero();
    medium.heal();
    measurer.join();
    while (medium.closed.get() == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldBeFoundOutByAnotherThreadThatMaintainsTheCache() throws Exception {
    try (BlockCache cache = builder().maintainedByCaller().build()) {
      cache.control().tuning().start(BOUNDS);
      medium.inject(Fault.STUCK_READ);
      Thread caller = new Thread(() -> pass(cache, 1));
      caller.start();
      medium.awaitInjection();
      pass(cache, 10);

      assertOutOfServiceButAnswering(cache);
      medium.heal();
      caller.join();
    }
  }

  @Test
  void shouldGoOnWhenTheMediumIsBack() {
    try (BlockCache cache = builder().mediumBackOff(Duration.ofSeconds(1)).build()) {
      cache.control().tuning().start(BOUNDS);
      medium.inject(Fault.STUCK_READ);
      pass(cache, 1);
      medium.awaitInjection();
      Thread measurer = measurer();
      pass(cache, 10);
      assertThat(cache.control().health().inService()).isFalse();
      medium.heal();

      while (cache.control().tuning().report().samples() == 0) {
        if (measurer.getState() == Thread.State.TIMED_WAITING) {
          pass(cache, 1); // Never while it reads: that would look like another hang.
        }
      }
      assertThat(cache.control().health().inService()).isTrue();
    }
  }

  @Test
  void shouldEndItsThreadWithTheCache() throws Exception {
    BlockCache cache = builder().build();
    assertThat(newTuningThreads()).as("none before tuning starts").isEmpty();
    cache.control().tuning().start(BOUNDS);
    pass(cache, 1);
    while (cache.control().tuning().report().samples() == 0) {
      Thread.onSpinWait();
    }
    Thread measurer = measurer();

    cache.close();

    measurer.join();
    assertThat(medium.closed.get()).isEqualTo(1);
  }
}
