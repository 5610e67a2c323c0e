// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerformanceReportTest {
  @TempDir Path directory;

  private final List<JsonRecords.Entry> records = new ArrayList<>();

  private void hitCopy(String impl, String bytes, String pages, double ratio) {
    Map<String, String> labels =
        new TreeMap<>(
            Map.of(
                "impl",
                impl,
                "blockBytes",
                bytes,
                "jdk",
                "17",
                "hugePages",
                pages,
                "op",
                "hit_copy",
                "buffer",
                "heap",
                "dist",
                "uniform",
                "threads",
                "1",
                "entries",
                "65536"));
    records.add(new JsonRecords.Entry("hit_copy_ratio_to_raw", labels, ratio, "ratio"));
    records.add(new JsonRecords.Entry("hit_copy_ratio_to_raw_q1", labels, ratio - 0.01, "ratio"));
    records.add(new JsonRecords.Entry("hit_copy_ratio_to_raw_q3", labels, ratio + 0.02, "ratio"));
  }

  private String page() throws IOException {
    Path page = directory.resolve("performance.md");
    new PerformanceReport(
            records,
            List.of("--impl", "nvcache,ohc", "--json", "x.json", "--java-home", "/a,/b"),
            List.of())
        .write(page);
    return Files.readString(page);
  }

  @Test
  void shouldShowRatiosWithQuartilesAndTheBestInBold() throws IOException {
    hitCopy("nvcache", "16384", "default", 1.12);
    hitCopy("ohc", "16384", "default", 1.48);

    assertThat(page())
        .contains("scripts/bench --impl nvcache,ohc --jdk25\n")
        .contains("| nvcache | – | **1.12 (1.11–1.14)** | – |")
        .contains("| ohc | – | 1.48 (1.47–1.50) | – |")
        .contains("images/performance.svg")
        .doesNotContain("{{");
    assertThat(directory.resolve("images/performance.svg"))
        .content()
        .as("the bars of blocks of 16 KiB, in their colour")
        .contains("<svg", "rgb(37,99,235)");
  }

  @Test
  void shouldKeepHugePagesApart() throws IOException {
    hitCopy("nvcache", "16384", "on", 0.91);
    hitCopy("nvcache", "16384", "default", 1.12);

    assertThat(page())
        .contains("| nvcache | – | **1.12 (1.11–1.14)** |")
        .contains("| hit copy | 1.12 (1.11–1.14) | 0.91 (0.90–0.93) |");
  }

  @Test
  void shouldSayWhatWasNotMeasured() throws IOException {
    hitCopy("nvcache", "16384", "default", 1.12);

    assertThat(page()).contains("Not measured in this run.", "This run had one JDK only.");
    assertThat(
            new PerformanceReport(records, List.of(), List.of("ohc, JDK 17 failed: status 1\n x"))
                .text(""))
        .contains("- ohc, JDK 17 failed: status 1\n")
        .doesNotContain(" x\n");
  }
}
