// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HBaseBenchReportTest {
  private static final HBaseEngine ENGINE = HBaseEngine.NVCACHE_NATIVE;

  private final Measurements measured = new Measurements();

  private static WindowReads window(int number, int hits) {
    WindowReads reads = new WindowReads(number);
    for (int i = 0; i < 100; i++) {
      reads.add(i < 90 ? 10_000 : 20_000, 5000);
      if (i < hits) {
        reads.addHit();
      }
    }
    reads.end(1 << 20);
    return reads;
  }

  private HBaseBenchReport report() {
    Measurements scenario = measured.with("scenario", "compaction").with("block", 65536);
    for (boolean heat : new boolean[] {false, true}) {
      Measurements out =
          new CompactionContender(ENGINE, KeyOrder.SCATTERED, heat).labelled(scenario);
      window(-1, 80).report(out);
      window(1, heat ? 75 : 40).report(out);
      WindowReads.reportCost(window(-1, 80), window(1, 40), out);
    }
    HBaseBenchSettings settings =
        new HBaseBenchSettings(
            List.of(ENGINE),
            List.of(HBaseScenario.COMPACTION),
            48 << 20,
            4 << 20,
            65536,
            1,
            Duration.ZERO,
            0,
            1,
            100,
            1,
            Path.of("."),
            Path.of("."));
    return new HBaseBenchReport(settings, measured, List.of("llpl did not run"));
  }

  @Test
  void shouldShowACompactionWindowByWindow() {
    List<ResultTable> tables = report().tables();

    assertThat(tables).hasSize(2);
    assertThat(tables.get(0).title()).startsWith("compaction · 48 MiB").endsWith("rows scattered");
    assertThat(tables.get(0).header())
        .containsExactly(
            "window",
            "nvcache-native",
            "p99",
            "written",
            "nvcache-native with heat",
            "p99",
            "written");
    assertThat(tables.get(0).rows())
        .containsExactly(
            List.of("-1", "80.0 %", "20 µs", "1 MiB", "80.0 %", "20 µs", "1 MiB"),
            List.of("1", "40.0 %", "20 µs", "1 MiB", "75.0 %", "20 µs", "1 MiB"));
    assertThat(tables.get(1).rows())
        .hasSize(2)
        .first()
        .isEqualTo(
            List.of("nvcache-native", "off", "scattered", "40", "100", "0 B", "1.00", "1.00"));
  }
}
