// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class CallGateTest {
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
                int stripe = counters.stripe();
                running.countDown();
                while (lookup(counters, stripe, gate)) {
                  if (memory.getPlain() == 0) {
                    touchedFreed.set(true);
                  }
                  counters.add(stripe, Counter.HITS, 1);
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

  /** As the engine begins one; ended here if it finds the gate shut. */
  private static boolean lookup(StripedCounters counters, int stripe, CallGate gate) {
    counters.add(stripe, Counter.LOOKUPS, 1);
    if (gate.isClosed()) {
      counters.add(stripe, Counter.MISSES, 1);
      return false;
    }
    return true;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
