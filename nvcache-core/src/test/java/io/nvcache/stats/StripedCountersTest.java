// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class StripedCountersTest {
  @Test
  void shouldAddUpWhatOneThreadCounts() {
    StripedCounters counters = new StripedCounters();
    int stripe = counters.stripe();

    counters.add(stripe, Counter.HITS, 2);
    counters.add(stripe, Counter.HITS, 3);
    counters.add(stripe, Counter.MISSES, 1);

    assertThat(counters.get(stripe, Counter.HITS)).isEqualTo(5);
    assertThat(counters.sum(Counter.HITS)).isEqualTo(5);
    assertThat(counters.sum(Counter.MISSES)).isEqualTo(1);
    assertThat(counters.sum(Counter.LOOKUPS)).isZero();
  }

  @Test
  void shouldGiveEachLivingThreadAStripeOfItsOwn() throws InterruptedException {
    StripedCounters counters = new StripedCounters(64);
    Set<Integer> stripes = ConcurrentHashMap.newKeySet();
    List<Boolean> again = new ArrayList<>();
    inThreads(
        48,
        () -> {
          int stripe = counters.stripe();
          stripes.add(stripe);
          synchronized (again) {
            again.add(counters.stripe() == stripe && counters.owns(stripe));
          }
        });

    assertThat(stripes).hasSize(48);
    assertThat(again).hasSize(48).containsOnly(true);
  }

  @Test
  void shouldLoseNoCountWhenThreadsOutnumberStripes() throws InterruptedException {
    StripedCounters counters = new StripedCounters(2);
    int threads = 24;
    int counts = 20_000;
    inThreads(
        threads,
        () -> {
          for (int i = 0; i < counts; i++) {
            counters.add(counters.stripe(), Counter.HITS, 1);
          }
        });

    assertThat(counters.sum(Counter.HITS)).isEqualTo((long) threads * counts);
  }

  @Test
  void shouldKeepTheCountsOfThreadsThatEndedAndPassTheirStripesOn() throws InterruptedException {
    StripedCounters counters = new StripedCounters(4);
    for (int round = 0; round < 10; round++) {
      inThreads(4, () -> counters.add(counters.stripe(), Counter.HITS, 1));
      counters.forgetDeadThreads();
    }

    assertThat(counters.sum(Counter.HITS)).isEqualTo(40);
    assertThat(counters.owns(counters.stripe())).isTrue();
  }

  @Test
  void shouldTakeCountsForAnyStripeFromAnyThread() throws InterruptedException {
    StripedCounters counters = new StripedCounters();
    int stripe = counters.stripe();
    inThreads(
        4,
        () -> {
          for (int i = 0; i < 10_000; i++) {
            counters.addShared(stripe, Counter.UNPINNED_ELSEWHERE_BYTES, 3);
          }
        });

    assertThat(counters.sum(Counter.UNPINNED_ELSEWHERE_BYTES)).isEqualTo(120_000);
  }

  /** Threads that do not find a stripe in the first few places have one all the same. */
  @Test
  void shouldGiveThreadsBeyondTheStripesOuterOnes() throws InterruptedException {
    StripedCounters counters = new StripedCounters(16);
    Set<Integer> stripes = ConcurrentHashMap.newKeySet();
    LivingThreads threads = new LivingThreads();
    try {
      threads.run(
          400,
          () -> {
            int stripe = counters.stripe();
            stripes.add(stripe);
            counters.add(stripe, Counter.LOOKUPS, 2);
            counters.addRelease(counters.stripe(), Counter.HITS, 3);
          });
      assertThat(stripes).hasSize(400);
      assertThat(counters.sum(Counter.LOOKUPS)).isEqualTo(800);
      assertThat(counters.sum(Counter.HITS)).isEqualTo(1_200);
      long all = 0;
      for (int i = 0; i < counters.count(); i++) {
        all += counters.getWithOuter(counters.stripe(i), Counter.HITS);
      }
      assertThat(all).as("each belongs to one of the count").isEqualTo(1_200);
      assertThat(stripes)
          .allMatch(stripe -> counters.index(stripe) < counters.count())
          .allMatch(stripe -> counters.index(counters.common(stripe)) == counters.index(stripe));
    } finally {
      threads.end();
    }
    counters.forgetDeadThreads();
    assertThat(counters.owns(counters.stripe())).as("found anew").isTrue();
    assertThat(counters.sum(Counter.HITS)).isEqualTo(1_200);
  }

  @Test
  void shouldLoseNoCountWhenThreadsOutnumberOuterStripes() throws InterruptedException {
    StripedCounters counters = new StripedCounters(1);
    LivingThreads threads = new LivingThreads();
    try {
      threads.run(1_200, () -> counters.add(counters.stripe(), Counter.HITS, 1));
      assertThat(counters.sum(Counter.HITS)).isEqualTo(1_200);
    } finally {
      threads.end();
    }
  }

  /** Runs the work in threads that are all alive at the same time. */
  private static void inThreads(int count, Runnable work) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(count);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(
          new Thread(
              () -> {
                work.run();
                done.countDown();
                try {
                  done.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
