// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.report.JsonRecords;
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
    ratio("hit_copy", impl, bytes, pages, ratio);
  }

  private Map<String, String> ratio(
      String operation, String impl, String bytes, String pages, double ratio) {
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
                operation,
                "buffer",
                operation.startsWith("hit") ? "heap" : "direct",
                "dist",
                "uniform",
                "threads",
                "1",
                "entries",
                "65536"));
    String metric = operation + "_ratio_to_raw";
    records.add(new JsonRecords.Entry(metric, labels, ratio, "ratio"));
    records.add(new JsonRecords.Entry(metric + "_q1", labels, ratio - 0.01, "ratio"));
    records.add(new JsonRecords.Entry(metric + "_q3", labels, ratio + 0.02, "ratio"));
    return labels;
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
        .as("a dot for blocks of 16 KiB in each row")
        .contains("<svg", ">nvcache</text>", ">ohc</text>")
        .containsPattern("(?s)(<circle.*){2}");
  }

  @Test
  void shouldSayWhichGoalsWereMissed() throws IOException {
    hitCopy("nvcache", "16384", "default", 1.124);
    hitCopy("nvcache", "65536", "default", 1.06);
    hitCopy("nvcache", "4096", "default", 1.3);
    hitCopy("ohc", "16384", "default", 1.48);
    hitCopy("chronicle-map", "65536", "default", 1.05);
    hitCopy("ohc", "65536", "default", 1.04);
    hitCopy("nvcache-mapped", "65536", "default", 1.01);

    assertThat(page())
        .contains("| hit that copies, 16 KiB, ÷ limit | 1.12 | 1.12 (1.11–1.14) | met |")
        .contains("| hit that copies, 64 KiB, ÷ limit | 1.05 | 1.06 (1.05–1.08) | **missed** |")
        .contains("in each of 2 cells")
        .contains("- hit copy, 64 KiB, heap, uniform, 1 thread: 1.06; ohc 1.04\n")
        .doesNotContain("- hit copy, 16 KiB", "hit in place, 16 KiB, ÷ limit");
  }

  @Test
  void shouldNotCallACacheTheBestThatTurnsBlocksAway() throws IOException {
    ratio("replace", "nvcache", "16384", "default", 1.1);
    Map<String, String> labels = ratio("replace", "caffeine-heap", "16384", "default", 0.8);
    records.add(new JsonRecords.Entry("replace_retained_ratio", labels, 0.49, "ratio"));

    assertThat(page())
        .contains("| nvcache | – | **1.10 (1.09–1.12)** |")
        .contains("| caffeine-heap | – | 0.80 (0.79–0.82) |")
        .doesNotContain("caffeine-heap 0.80");
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
