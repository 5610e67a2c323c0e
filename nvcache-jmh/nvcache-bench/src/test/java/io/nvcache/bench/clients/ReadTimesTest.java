// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ReadTimesTest {
  private static final Duration DELAY = Duration.ofMillis(20);
  private static final int NEAR = ReadTimes.ROWS_OF_BLOCK - 1;

  private final ReadTimes first = new ReadTimes(200);
  private final ReadTimes second = new ReadTimes(200);

  private static void add(ReadTimes thread, long row, double beginMillis, double millis) {
    long begin = (long) (beginMillis * TimeUnit.MILLISECONDS.toNanos(1));
    thread.add(row, begin, begin + (long) (millis * TimeUnit.MILLISECONDS.toNanos(1)));
  }

  private double servedP99() {
    return ReadTimes.servedP99(List.of(first, second), DELAY);
  }

  @Test
  void shouldLeaveOutReadsOfStoreFiles() {
    for (int i = 1; i <= 100; i++) {
      add(first, 1000 * i, 100 * i, i / 1000.0);
      add(second, 1000 * i + 500, 100 * i, 20 + i / 1000.0);
    }
    assertThat(servedP99()).isEqualTo(99);
    assertThat(ReadTimes.micros(List.of(first, second)).getTotalCount()).isEqualTo(200);
  }

  @Test
  void shouldLeaveOutAReadThatMayWaitForAnotherThreadsFetch() {
    add(first, 1000, 0, 25);
    add(second, 1000, 10, 15);
    add(second, 1000 + NEAR, 1, 16);
    add(second, 1000 - NEAR, -1, 17);
    add(second, 5000, 200, 3);
    assertThat(servedP99()).isBetween(2990.0, 3010.0);
  }

  @Test
  void shouldCountAReadOfAnotherBlockOrAtAnotherTime() {
    add(first, 1000, 0, 25);
    add(second, 1000 + NEAR + 1, 10, 3);
    assertThat(servedP99()).isBetween(2990.0, 3010.0);
    add(second, 1000, 25, 4);
    add(second, 1000, -5, 5);
    assertThat(servedP99()).isBetween(4990.0, 5010.0);
  }

  @Test
  void shouldNotTellWhereNoReadOfAStoreFileIsSlower() {
    add(first, 1, 0, 1);
    assertThat(ReadTimes.servedP99(List.of(first), Duration.ZERO)).isNaN();
    assertThat(ReadTimes.servedP99(List.of(second), DELAY)).isNaN();
  }
}
