// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1 KiB",
    "1536, 1.5 KiB",
    "67108864, 64 MiB",
    "1099511627776, 1 TiB",
    "1125899906842624, 1 PiB"
  })
  void shouldNameBytesInLargestFittingUnit(long bytes, String text) {
    assertThat(Figures.bytes(bytes)).isEqualTo(text);
  }

  @Test
  void shouldWriteFiguresAlikeInAllLocales() {
    assertThat(Figures.count(1234567)).isEqualTo("1,234,567");
    assertThat(Figures.times(1.239)).isEqualTo("1.24 ×");
    assertThat(Figures.percent(0.0456)).isEqualTo("4.6 %");
    assertThat(Figures.micros(987.6)).isEqualTo("988 µs");
    assertThat(Figures.micros(12_345)).isEqualTo("12.3 ms");
  }

  @Test
  void shouldShowDashForWhatIsNotKnown() {
    assertThat(Figures.count(Double.NaN)).isEqualTo("–");
    assertThat(Figures.times(Double.NaN)).isEqualTo("–");
    assertThat(Figures.percent(Double.NaN)).isEqualTo("–");
    assertThat(Figures.decimal(Double.NaN)).isEqualTo("–");
    assertThat(Figures.micros(Double.NaN)).isEqualTo("–");
  }
}
