// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import io.nvcache.TestHook;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class IntervalSummaryTest {
  private static final int LENGTH = 4096;

  private long now;
  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(1 << 20)
          .maxBlockBytes(LENGTH)
          .policies(PolicyPreset.PAPER)
          .smallBypassDramBytes(0)
          .overheadTarget(10)
          .testing(TestHook.nanoTime(() -> now))
          .maintainedByCaller()
          .build();

  @AfterEach
  void close() {
    cache.close();
  }

  private OfferResult read(long offset, int length) {
    cache.get(1, offset, ByteBuffer.allocate(length));
    return cache.offer(1, offset, ByteBuffer.allocate(length), Source.READ);
  }

  @Test
  void shouldNameTheCommonestRefusalOfTheInterval() {
    IntervalSummary summary = new IntervalSummary(cache);
    assertThat(read(0, LENGTH)).isEqualTo(OfferResult.ADMITTED);
    read(0, LENGTH);
    read(LENGTH, LENGTH + 1);
    assertThat(summary.next())
        .isEqualTo(
            "NVCache since the last summary: 3 lookups, 33.3 % served, 4 KiB written, offers"
                + " refused: 1 (mostly: too_large 1); now: SERVING, 1 blocks, 4 KiB of 1 MiB");

    cache.control().dataSet().register(1, 1);
    cache.control().settings().setSmallBypassDramBytes(1);
    for (int i = 0; i < 4; i++) {
      read(LENGTH, LENGTH);
      now += Duration.ofSeconds(1).toNanos();
      cache.control().maintain();
    }
    read(LENGTH, LENGTH + 1);
    assertThat(summary.next())
        .isEqualTo(
            "NVCache since the last summary: 5 lookups, 0.0 % served, 0 B written, offers"
                + " refused: 5 (mostly: bypassed_small 4); now: BYPASSING, 1 blocks, 4 KiB of"
                + " 1 MiB");
    assertThat(summary.next())
        .contains(" 0 lookups, 0.0 % served, 0 B written, offers refused: 0; now: BYPASSING");
  }

  @Test
  void shouldCountWhatTheHostServed() {
    IntervalSummary summary = new IntervalSummary(cache, stats -> stats.lookups() / 2);
    read(0, LENGTH);
    read(0, LENGTH);
    assertThat(summary.next()).contains("2 lookups, 50.0 % served");
  }

  @Test
  void shouldGiveLinesUntilItIsClosedThoughOneFails() throws Exception {
    BlockingQueue<String> log = new LinkedBlockingQueue<>();
    BlockingQueue<String> lines = new LinkedBlockingQueue<>(List.of("first", "fail", "second"));
    PeriodicLine periodic =
        PeriodicLine.start(
            () -> {
              String line = lines.isEmpty() ? "end" : lines.remove();
              if (line.equals("fail")) {
                throw new IllegalStateException("injected");
              }
              return line;
            },
            log::add,
            Duration.ofMillis(1));
    for (String expected : List.of("first", "second", "end")) {
      assertThat(log.poll(1, TimeUnit.MINUTES)).isEqualTo(expected);
    }
    periodic.close();
  }
}
