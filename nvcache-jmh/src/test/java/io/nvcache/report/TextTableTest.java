// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.ycsb.BenchmarkResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
  private final ResultTable table =
      new ResultTable(
          "a title",
          List.of("policy", "ops/s"),
          List.of(List.of("none", "1,000"), List.of("admit-all", "12")));

  @Test
  void shouldAlignNamesLeftAndFiguresRight() {
    assertThat(new TextTable(StandardCharsets.UTF_8).draw(table))
        .isEqualTo(
            """
            a title
            ┌───────────┬───────┐
            │ policy    │ ops/s │
            ├───────────┼───────┤
            │ none      │ 1,000 │
            │ admit-all │    12 │
            └───────────┴───────┘""");
  }

  @Test
  void shouldDrawWithPlainCharactersWhereTerminalHasNoOthers() {
    String drawn =
        new TextTable(StandardCharsets.US_ASCII)
            .draw(SampleResults.onDisk(), SampleResults.onDisk().workloads().get(0));

    assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(drawn)).as(drawn).isTrue();
    assertThat(drawn).contains("+--").contains("1.44 x").contains(" us");
  }

  @Test
  void shouldShowWhatWasMeasured() {
    BenchmarkResult result = SampleResults.onDisk();

    String drawn = new TextTable(StandardCharsets.UTF_8).draw(result, result.workloads().get(0));

    assertThat(drawn.lines().findFirst())
        .contains(
            "YCSB C · 100 % reads · zipfian · 4 MiB of emulated NVRAM at 1.0 × the speed of the"
                + " paper's");
    assertThat(cells(drawn, "none"))
        .containsExactly(
            "none", "1.00 ×", "–", "120 µs", "–", "30.0 %", "–", "0.70", "1,000", "50 µs", "99 µs");
    assertThat(cells(drawn, "paper"))
        .containsExactly(
            "paper",
            "1.44 ×",
            "1.44–1.44",
            "83 µs",
            "25.0 %",
            "33.3 %",
            "10.0 %",
            "0.50",
            "1,500",
            "50 µs",
            "99 µs");
  }

  @Test
  void shouldWrapLongTexts() {
    String wrapped = TextTable.wrap("word ".repeat(60).strip());

    assertThat(wrapped.lines()).hasSizeGreaterThan(2).allMatch(line -> line.length() <= 100);
    assertThat(wrapped.replace("\n  ", " ")).isEqualTo("word ".repeat(60).strip());
  }

  private static List<String> cells(String drawn, String policy) {
    String row = drawn.lines().filter(line -> line.contains("│ " + policy + " ")).findFirst().get();
    return Arrays.stream(row.split("│")).map(String::strip).filter(c -> !c.isEmpty()).toList();
  }
}
