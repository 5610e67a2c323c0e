// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.report.Measurements;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WindowReadsTest {
  private final Measurements measured = new Measurements();

  /** Reads, of which nine in ten take ten microseconds. */
  private static WindowReads window(
      int number, int reads, int hits, int longestMicros, long writtenBytes) {
    WindowReads window = new WindowReads(number);
    for (int i = 0; i < reads; i++) {
      window.add(i % 10 == 0 ? longestMicros * 1000L : 10_000, 1000);
      if (i < hits) {
        window.addHit();
      }
    }
    window.end(writtenBytes);
    return window;
  }

  @Test
  void shouldCompareTheReadsAfterACompactionWithThoseBeforeIt() {
    WindowReads.reportCost(window(-1, 100, 80, 50, 1000), window(1, 1000, 700, 75, 1600), measured);
    assertThat(measured.value("compaction_later_reads")).isEqualTo(1000);
    assertThat(measured.value("compaction_hits_lost")).isEqualTo(100);
    assertThat(measured.value("compaction_bytes_written")).isEqualTo(600);
    assertThat(measured.value("latency_ratio_to_before", Map.of("percentile", "50"))).isEqualTo(1);
    assertThat(measured.value("latency_ratio_to_before", Map.of("percentile", "99")))
        .isEqualTo(1.5);
  }

  @Test
  void shouldReportWindowsTogetherByTheLastOne() {
    WindowReads.together(List.of(window(1, 10, 5, 50, 7), window(2, 30, 25, 50, 9)))
        .report(measured);
    Measurements window = measured.where("window", "2");
    assertThat(window.value("hit_ratio")).isEqualTo(0.75);
    assertThat(window.value("file_reads")).isEqualTo(10);
    assertThat(window.value("medium_bytes_written")).isEqualTo(9);
    assertThat(window.value("latency", Map.of("percentile", "99.9"))).isEqualTo(50);
    assertThat(window.value("processor_time", Map.of("percentile", "50"))).isEqualTo(1);
  }
}
