// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class CallGateTest {
  /** With the interrupt it would not park, but spin. */
  @Test
  @Timeout(60)
  void shouldWaitWithoutTheInterruptAndKeepIt() throws InterruptedException {
    CallGate gate = new CallGate(new StripedCounters());
    int stripe = gate.begin();
    AtomicBoolean kept = new AtomicBoolean();
    Thread closing =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              gate.close();
              kept.set(Thread.currentThread().isInterrupted());
            });
    closing.start();
    while (!gate.isClosed() || closing.isInterrupted()) {
      Thread.sleep(1); // The test's time limit interrupts it.
    }
    gate.end(stripe);
    closing.join();
    assertThat(kept).isTrue();
  }

  @Test
  void shouldWaitForTheCallsInside() throws InterruptedException {
    CallGate gate = new CallGate(new StripedCounters());
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    Thread caller =
        new Thread(
            () -> {
              int stripe = gate.begin();
              inside.countDown();
              awaitQuietly(mayEnd);
              ended.set(true);
              gate.end(stripe);
            });
    caller.start();
    inside.await();
    AtomicBoolean endedBeforeClosed = new AtomicBoolean();
    Thread closer =
        new Thread(
            () -> {
              gate.close();
              endedBeforeClosed.set(ended.get());
            });
    closer.start();
    while (!gate.isClosed()) {
      Thread.onSpinWait();
    }
    mayEnd.countDown();
    closer.join();

    assertThat(endedBeforeClosed).isTrue();
    assertThat(gate.close()).as("shut before").isFalse();
  }

  /** Threads that come when all stripes have owners are no less inside. */
  @Test
  void shouldWaitForCallsOfThreadsBeyondTheStripes() throws InterruptedException {
    StripedCounters counters = new StripedCounters();
    CallGate gate = new CallGate(counters);
    int threads = counters.count() + 50;
    CountDownLatch inside = new CountDownLatch(threads);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger beyond = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread caller =
          new Thread(
              () -> {
                int stripe = gate.beginLookup();
                inside.countDown();
                if (!counters.owns(stripe)) {
                  beyond.incrementAndGet();
                  awaitQuietly(mayEnd);
                }
                counters.addRelease(stripe, Counter.MISSES, 1);
                awaitQuietly(mayEnd); // Alive, so that its stripe is no one else's.
              });
      callers.add(caller);
      caller.start();
    }
    inside.await();
    gate.shut();
    assertThat(gate.awaitEmpty(TimeUnit.MILLISECONDS.toNanos(20))).isFalse();
    mayEnd.countDown();
    assertThat(gate.awaitEmpty(Long.MAX_VALUE)).isTrue();
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(beyond.get()).isGreaterThanOrEqualTo(50);
  }

  @Test
  void shouldNeverLetALookupTouchMemoryAfterClosing() throws InterruptedException {
    for (int round = 0; round < 1_000; round++) {
      StripedCounters counters = new StripedCounters();
      CallGate gate = new CallGate(counters);
      AtomicInteger memory = new AtomicInteger(1);
      AtomicBoolean touchedFreed = new AtomicBoolean();
      CountDownLatch running = new CountDownLatch(1);
      Thread reader =
          new Thread(
              () -> {
                running.countDown();
                int stripe;
                while ((stripe = gate.beginLookup()) != CallGate.SHUT) {
                  if (memory.getPlain() == 0) {
                    touchedFreed.set(true);
                  }
                  counters.addRelease(stripe, Counter.HITS, 1);
                }
              });
      reader.start();
      running.await();
      gate.close();
      memory.set(0);
      reader.join();
      assertThat(touchedFreed).as("round %d", round).isFalse();
    }
  }

  /** Or a stripe that many threads share would never be seen empty while they continue to call. */
  @Test
  void shouldCountNoBeginOnASharedStripeOnceItIsShut() throws Exception {
    StripedCounters counters = new StripedCounters();
    CallGate gate = new CallGate(counters);
    CountDownLatch mayEnd = new CountDownLatch(1);
    try {
      ownAllStripes(counters, mayEnd);
      int inside = gate.begin();
      assertThat(counters.owns(inside)).isFalse();
      gate.shut();

      for (int i = 0; i < 10; i++) {
        assertThat(gate.beginLookup()).isEqualTo(CallGate.SHUT);
        int stripe = gate.begin();
        assertThat(gate.isClosed()).isTrue();
        gate.end(stripe);
      }

      assertThat(counters.sum(Counter.CALLS_BEGUN)).isEqualTo(1);
      assertThat(counters.sum(Counter.LOOKUPS)).isZero();
      assertThat(gate.isBusy(inside)).as("those turned away end no call that is inside").isTrue();
      assertThat(gate.awaitEmpty(0)).isFalse();
      gate.end(inside);
      assertThat(gate.awaitEmpty(0)).isTrue();
      assertThat(counters.sum(Counter.LATE_LOOKUPS)).isEqualTo(10);
      assertThat(counters.sum(Counter.MISSES_CLOSED)).isEqualTo(10);
    } finally {
      mayEnd.countDown();
    }
  }

  /** By threads that live until the latch is open. */
  private static void ownAllStripes(StripedCounters counters, CountDownLatch mayEnd)
      throws InterruptedException {
    int stripes = counters.count();
    CountDownLatch taken = new CountDownLatch(stripes);
    for (int i = 0; i < stripes; i++) {
      new Thread(
              () -> {
                assertThat(counters.stripe()).isPositive();
                taken.countDown();
                awaitQuietly(mayEnd);
              })
          .start();
    }
    taken.await();
  }

  /** Half of them share stripes. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.MINUTES)
  void shouldFindAnEndThoughManyThreadsGoOnCalling() throws InterruptedException {
    StripedCounters counters = new StripedCounters();
    CallGate gate = new CallGate(counters);
    AtomicBoolean stop = new AtomicBoolean();
    CountDownLatch started = new CountDownLatch(120);
    Thread[] callers = new Thread[120];
    for (int i = 0; i < callers.length; i++) {
      callers[i] =
          new Thread(
              () -> {
                started.countDown();
                awaitQuietly(started); // Who calls on leaves no time to start others.
                while (!stop.get()) {
                  int stripe = gate.beginLookup();
                  if (stripe != CallGate.SHUT) {
                    counters.addRelease(stripe, Counter.HITS, 1);
                  }
                }
              });
      callers[i].start();
    }
    started.await();
    while (counters.sum(Counter.LOOKUPS) < 100_000) {
      Thread.onSpinWait();
    }

    assertThat(gate.close()).isTrue();

    stop.set(true);
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(counters.sum(Counter.LOOKUPS))
        .isEqualTo(counters.sum(Counter.HITS) + counters.sum(Counter.MISSES));
    assertThat(counters.sum(Counter.MISSES) + counters.sum(Counter.LATE_LOOKUPS))
        .isEqualTo(counters.sum(Counter.MISSES_CLOSED));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
