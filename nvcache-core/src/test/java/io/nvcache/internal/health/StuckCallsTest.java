// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.internal.gate.CallGate;
import io.nvcache.stats.StripedCounters;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StuckCallsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final StripedCounters counters = new StripedCounters();
  private final CallGate gate = new CallGate(counters);
  private final AtomicLong clock = new AtomicLong();
  private final StuckCalls calls = new StuckCalls(counters, gate, clock::get, 10 * SECOND);
  private final ExecutorService caller = Executors.newSingleThreadExecutor();
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void end() {
    release.countDown();
    caller.shutdownNow();
  }

  private int look(long seconds) {
    clock.addAndGet(seconds * SECOND);
    return calls.look();
  }

  /** Begins a call whose thread stays in it, below frames of this package. */
  private void hang() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    Future<?> unused =
        caller.submit(
            () -> {
              int stripe = gate.begin();
              inside.countDown();
              release.await();
              gate.end(stripe);
              return stripe;
            });
    inside.await();
  }

  @Test
  void shouldFindACallThatMakesNoProgressWhileLooksAreOnTime() throws Exception {
    hang();

    assertThat(look(1)).isZero();
    for (int i = 0; i < 9; i++) {
      assertThat(look(1)).isZero();
    }
    assertThat(look(1)).isEqualTo(1);
    assertThat(calls.found()).isEqualTo(1);
    assertThat(calls.cause()).contains("calls do not end");
    assertThat(look(15)).as("a late look changes nothing").isEqualTo(1);
  }

  @Test
  void shouldNotCountTheTimeOfLooksThatCameLate() throws Exception {
    hang();

    for (int i = 0; i < 20; i++) {
      assertThat(look(15)).as("late look %d", i).isZero();
    }
    for (int i = 0; i < 9; i++) {
      assertThat(look(1)).isZero();
    }
    assertThat(look(1)).as("the first ten seconds that were watched").isEqualTo(1);
  }

  @Test
  void shouldNotTakeAThreadForStuckThatIsNotInside() throws Exception {
    Future<Integer> begun = caller.submit(gate::begin);
    int stripe = begun.get(); // Counted as begun, and its thread waits in an executor.

    for (int i = 0; i < 30; i++) {
      assertThat(look(1)).isZero();
    }
    gate.end(stripe);
  }

  @Test
  void shouldNotFindCallsThatGoOn() throws Exception {
    for (int i = 0; i < 30; i++) {
      int stripe = gate.begin();
      assertThat(look(1)).isZero();
      gate.end(stripe);
    }
  }
}
