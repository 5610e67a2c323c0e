// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HBaseBenchReportTest {
  private static final HBaseEngine ENGINE = HBaseEngine.NVCACHE_NATIVE;

  private final Measurements measured = new Measurements();

  private static CompactionWindow window(int number, boolean heat, long hits) {
    return new CompactionWindow(
        new CompactionContender(ENGINE, KeyOrder.SCATTERED, heat),
        number,
        100,
        hits,
        Map.of("50", 10.0, "99", 20.0),
        Map.of("99", 5.0),
        1 << 20,
        0);
  }

  private HBaseBenchReport report() {
    Measurements scenario = measured.with("scenario", "compaction").with("block", 65536);
    for (boolean heat : new boolean[] {false, true}) {
      window(-1, heat, 80).report(scenario);
      window(1, heat, heat ? 75 : 40).report(scenario);
      CompactionCost.of(window(-1, heat, 80), window(1, heat, 40)).report(scenario);
    }
    CompactionContender contender = new CompactionContender(ENGINE, KeyOrder.SCATTERED, true);
    new CarriedChoice(contender, 12, 7, 100, 60, 80).report(scenario);
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

    assertThat(tables).hasSize(3);
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
    assertThat(tables.get(2).rows())
        .containsExactly(List.of("nvcache-native", "scattered", "12", "7", "60.0 %", "80.0 %"));
  }

  @Test
  void shouldDrawItOnAPage() throws Exception {
    String page = report().page(Map.of("--capacity", "48MiB"), "today");

    assertThat(page)
        .contains("Hit ratio, %, hot rows scattered", "nvcache-native with heat", "48MiB")
        .contains("<svg", "llpl did not run", "in hindsight");
  }
}
