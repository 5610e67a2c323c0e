// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextSizeTest {
  /** Widths of the plain and the bold DejaVu Sans, as parts of the font size. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no-write-allocate+obp|11.15|12.57",
        "NVRAM writes, Open CAS / NVCache, 64 GB|21.87|24.38",
        "cachelib-dynamic-random|13.03|14.54",
        "hollow: the paper's figure|12.79|14.56",
        "100,000|4.14|4.55",
        "target 10.0 %|6.87|7.68",
        "gated-s3-fifo|6.36|7.28",
        "MMMM WWWW|7.72|8.74",
        "0.001|2.86|3.16",
      })
  void shouldNotTakeTextsForNarrowerThanAWideFontDrawsThem(String text, double plain, double bold) {
    assertThat(TextSize.width(text, 1)).isBetween(plain, 1.2 * plain);
    assertThat(TextSize.bold(text, 1)).isBetween(bold, 1.2 * bold);
  }

  @Test
  void shouldCutWhatIsTooWide() {
    String text = "a name that goes on and on";

    String cut = TextSize.cut(text, 12, 100);

    assertThat(cut).startsWith("a name").endsWith("…");
    assertThat(TextSize.width(cut, 12)).isLessThanOrEqualTo(100);
    assertThat(TextSize.cut(text, 12, 400)).isEqualTo(text);
  }

  @Test
  void shouldBreakBetweenWords() {
    assertThat(TextSize.wrap("one two three", 10, TextSize.bold("one two", 10) + 1))
        .containsExactly("one two", "three");
  }
}
