// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.report.TextTable;
import io.nvcache.ycsb.BenchmarkResult;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class YcsbTableTest {
  @Test
  void shouldDrawWithPlainCharactersWhereTerminalHasNoOthers() {
    String drawn = draw(StandardCharsets.US_ASCII);

    assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(drawn)).as(drawn).isTrue();
    assertThat(drawn).contains("+--").contains("1.44 x").contains(" us");
  }

  @Test
  void shouldShowWhatWasMeasured() {
    String drawn = draw(StandardCharsets.UTF_8);

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

  private static String draw(Charset charset) {
    BenchmarkResult result = SampleResults.onDisk();
    return new TextTable(charset).draw(YcsbTable.of(result, result.workloads().get(0)));
  }

  private static List<String> cells(String drawn, String policy) {
    String row = drawn.lines().filter(line -> line.contains("│ " + policy + " ")).findFirst().get();
    return Arrays.stream(row.split("│")).map(String::strip).filter(c -> !c.isEmpty()).toList();
  }
}
