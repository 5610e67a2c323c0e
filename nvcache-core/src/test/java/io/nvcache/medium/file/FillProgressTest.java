// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.jmx.CapturedLog;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FillProgressTest {
  private long now = 42;

  @Test
  void shouldSayHowFarItIs_AfterTwoSecondsAndThenEachTen() throws Exception {
    String log =
        CapturedLog.of(
            () -> {
              FillProgress progress = new FillProgress(1000, 100_001_000, () -> now);
              for (int second = 0; second <= 20; second++) {
                progress.reached(1000 + second * 5_000_000L);
                now += TimeUnit.SECONDS.toNanos(1);
              }
            });

    assertThat(log.lines())
        .hasSize(2)
        .first()
        .asString()
        .contains("filled with zeros, once: 10000000 of 100000000 bytes in 2 s, 5 MB/s");
    assertThat(log).contains("60000000 of 100000000 bytes in 12 s, 5 MB/s");
  }

  @Test
  void shouldBeSilentWhereItIsQuick() throws Exception {
    assertThat(CapturedLog.of(() -> new FillProgress(0, 1, () -> now).reached(1))).isEmpty();
  }
}
