// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.DoubleSummaryStatistics;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "0.9, 1.1",
    "1.2, 1.3",
    "0.125, 8",
    "0.01, 0.02",
    "1, 100",
    "0.001, 1000",
    "3e-7, 4e9"
  })
  void shouldLabelBothEndsOfALogarithmicAxis(double low, double high) {
    for (int most = 2; most < 12; most++) {
      Scale scale = Scale.logarithmic(range(low, high), most);

      assertThat(scale.ticks()).hasSizeBetween(2, Math.max(3, most)).isSorted();
      assertThat(scale.ticks().get(0)).isLessThanOrEqualTo(low);
      assertThat(scale.ticks().get(scale.ticks().size() - 1)).isGreaterThanOrEqualTo(high);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "5, 5", "0, 1", "-3, -2", "-0.9, 0.04", "0, 12345", "0, 1e-7", "40, 41"})
  void shouldHaveZeroAndAllValuesOnALinearAxis(double low, double high) {
    for (int most = 2; most < 12; most++) {
      Scale scale = Scale.linear(range(low, high), most);

      assertThat(scale.ticks()).hasSizeBetween(2, Math.max(3, most)).isSorted().contains(0.0);
      assertThat(scale.ticks().get(0)).isLessThanOrEqualTo(low);
      assertThat(scale.ticks().get(scale.ticks().size() - 1)).isGreaterThanOrEqualTo(high);
    }
  }

  @Test
  void shouldPlaceValues() {
    assertThat(Scale.linear(range(0, 100), 6).part(25)).isEqualTo(0.25);
    assertThat(Scale.logarithmic(range(1, 100), 9).part(10)).isEqualTo(0.5);
    assertThat(Scale.linear(new DoubleSummaryStatistics(), 6).part(0)).isZero();
  }

  @Test
  void shouldWriteLabelsWithoutExponents() {
    assertThat(Scale.label(100_000)).isEqualTo("100,000");
    assertThat(Scale.label(0.001)).isEqualTo("0.001");
    assertThat(Scale.label(-0.2)).isEqualTo("-0.2");
  }

  private static DoubleSummaryStatistics range(double... values) {
    return DoubleStream.of(values).summaryStatistics();
  }
}
