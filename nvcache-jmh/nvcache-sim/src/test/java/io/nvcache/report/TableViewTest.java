// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableViewTest {
  private static final TableView VIEW =
      TableView.by("engine")
          .column("reads/s", "reads_per_s", Figures::count)
          .column("p99", "latency", Map.of("percentile", "99"), Figures::micros);

  private final Measurements measured = new Measurements();

  @Test
  void shouldShowMeasurementsByName() {
    Measurements scan = measured.with("scenario", "scan");
    scan.with("engine", "none").add("reads_per_s", 1000, "1/s").add("other", 1, "s");
    Measurements cached = scan.with("engine", "nvcache");
    cached.add("reads_per_s", 5000, "1/s");
    cached.with("percentile", 50).add("latency", 10, "us");
    cached.with("percentile", 99).add("latency", 80, "us");
    measured.with("scenario", "fits").with("engine", "nvcache").add("reads_per_s", 7, "1/s");

    List<ResultTable> tables = VIEW.of("Scan", measured, Map.of("scenario", "scan"));

    assertThat(tables)
        .containsExactly(
            new ResultTable(
                "Scan",
                List.of("engine", "reads/s", "p99"),
                List.of(List.of("none", "1,000", "–"), List.of("nvcache", "5,000", "80 µs"))));
    assertThat(measured.sum("reads_per_s")).isEqualTo(6007);
  }

  @Test
  void shouldHaveNoTableOfWhatWasNotMeasured() {
    measured.with("engine", "none").add("latency", Double.NaN, "us").add("other", 1, "s");

    assertThat(VIEW.of("Scan", measured, Map.of())).isEmpty();
    assertThat(measured.records()).hasSize(1);
    assertThat(measured.value("latency", Map.of())).isNaN();
  }
}
