// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RecentSumTest {
  private final StripedCounters counters = new StripedCounters(64);
  private final AtomicLong sums = new AtomicLong();
  private final RecentSum sum =
      new RecentSum(
          counters,
          Counter.LOOKUPS,
          () -> {
            sums.incrementAndGet();
            return counters.sum(Counter.LOOKUPS);
          });
  private final LivingThreads others = new LivingThreads();

  @AfterEach
  void endThreads() throws InterruptedException {
    others.end();
  }

  private void count() {
    counters.add(counters.stripe(), Counter.LOOKUPS, 1);
  }

  @Test
  void shouldBeTheSumWhileFewThreadsCount() throws InterruptedException {
    others.run(5, this::count);
    for (int i = 0; i < 100; i++) {
      count();
      assertThat(sum.get()).isEqualTo(i + 6);
    }
  }

  /** The stripes that are read are as many as the calls, however many threads have counted. */
  @Test
  void shouldReadOneStripeForEachCallHoweverManyThreadsHaveCounted() throws InterruptedException {
    for (int threads : new int[] {20, 60, 300}) {
      others.run(threads, this::count);
      int stripes = counters.usedCount();
      long before = sums.get();
      int calls = 20_000;
      for (int i = 0; i < calls; i++) {
        count();
        sum.get();
      }
      assertThat((sums.get() - before) * stripes)
          .as("%s stripes", stripes)
          .isBetween(1L, 2L * calls + 2L * stripes);
    }
  }

  @Test
  void shouldLagByNoMoreThanAThreadCountsUntilItAsksAsOftenAsThereAreStripes()
      throws InterruptedException {
    count(); // Before the others: it has a stripe of its own.
    others.run(300, this::count);
    int stripes = counters.usedCount();
    long last = 0;
    for (int i = 0; i < 5_000; i++) {
      count();
      long exact = counters.sum(Counter.LOOKUPS);
      long recent = sum.get();
      assertThat(recent).isBetween(Math.max(last, exact - stripes), exact);
      last = recent;
    }
    counters.add(counters.stripe(), Counter.LOOKUPS, 1_000_000);
    assertThat(sum.get()).as("much was counted").isEqualTo(counters.sum(Counter.LOOKUPS));
  }

  /** A thread that only writes must not be told of the same lookups without end. */
  @Test
  void shouldNotStandStillForAThreadThatCountsNothing() throws InterruptedException {
    others.run(100, this::count);
    sum.get();
    others.run(100, this::count);
    for (int i = 0; i <= counters.usedCount(); i++) {
      sum.get();
    }
    assertThat(sum.get()).isEqualTo(200);
  }
}
