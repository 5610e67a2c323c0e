// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.stats.StripedCounters;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PinnedBytesTest {
  private static final long BOUND = 1 << 20;

  @Test
  void shouldLetOneThreadUseThreeQuartersOfTheBound() {
    StripedCounters counters = new StripedCounters();
    PinnedBytes pins = new PinnedBytes(counters, BOUND);
    int stripe = counters.stripe();
    long reserved = 0;
    while (pins.reserve(stripe, 1024)) {
      reserved += 1024;
    }

    assertThat(reserved).isBetween(BOUND * 3 / 4, BOUND);
    assertThat(pins.pinnedBytes()).isEqualTo(reserved);
  }

  @Test
  void shouldTakeBytesBackFromAnyThread() throws InterruptedException {
    StripedCounters counters = new StripedCounters();
    PinnedBytes pins = new PinnedBytes(counters, BOUND);
    int stripe = counters.stripe();
    for (int round = 0; round < 100; round++) {
      long reserved = 0;
      while (pins.reserve(stripe, 4096)) {
        reserved += 4096;
      }
      assertThat(reserved).as("round %d", round).isGreaterThanOrEqualTo(BOUND * 3 / 4 - 4096);
      long all = reserved;
      Thread other =
          new Thread(
              () -> {
                for (long at = 0; at < all / 2; at += 4096) {
                  pins.release(stripe, 4096);
                }
              });
      other.start();
      other.join();
      while (pins.pinnedBytes() > 0) {
        pins.release(stripe, 4096);
      }
    }

    assertThat(pins.pinnedBytes()).isZero();
  }

  @Test
  void shouldKeepTheBoundWhateverTheThreadsDo() throws InterruptedException {
    StripedCounters counters = new StripedCounters();
    PinnedBytes pins = new PinnedBytes(counters, BOUND);
    AtomicLong held = new AtomicLong();
    AtomicLong most = new AtomicLong();
    AtomicInteger refused = new AtomicInteger();
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] =
          new Thread(
              () -> {
                int stripe = counters.stripe();
                // Threads that happen to run one after the other would try no bound.
                for (int i = 0; i < 3_000 || refused.get() == 0; i++) {
                  int reserved = 0;
                  while (reserved < 200 && pins.reserve(stripe, 4096)) {
                    reserved++;
                    most.accumulateAndGet(held.addAndGet(4096), Math::max);
                  }
                  refused.addAndGet(reserved < 200 ? 1 : 0);
                  for (int r = 0; r < reserved; r++) {
                    held.addAndGet(-4096);
                    pins.release(stripe, 4096);
                  }
                }
              });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(most.get()).isLessThanOrEqualTo(BOUND);
    assertThat(refused.get()).as("else the bound was never tried").isPositive();
    assertThat(pins.pinnedBytes()).isZero();
  }
}
