// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.report.chart.DotChart.Fill;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Point;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChartTest {
  private static final String LONG = "a name that is as long as names of policies may be";

  @Test
  void shouldTellAllSeriesApartByColorAndMarkerOrDash() {
    Set<SeriesStyle> styles = new HashSet<>();
    for (int i = 0; i < SeriesStyle.MOST; i++) {
      assertThat(styles.add(SeriesStyle.of(i))).as("series %d", i).isTrue();
      assertThat(SeriesStyle.of(i).marker()).isNotEqualTo(SeriesStyle.reference().marker());
    }
    assertThatThrownBy(() -> SeriesStyle.of(SeriesStyle.MOST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most " + SeriesStyle.MOST);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 22, 35})
  void shouldShowEachSeriesOfDotsInItsOwnColorAndMarker(int count) throws Exception {
    DotChart chart = new DotChart("many series", "ratio", "hollow");
    for (int i = 0; i < count; i++) {
      chart.add("", "row", "series-" + i, i, Fill.SOLID);
    }
    chart.add("", "row", "series-0", 1, Fill.HOLLOW);

    DrawnSvg drawn = new DrawnSvg(chart.svg());

    drawn.assertThatTextsFit();
    Set<String> looks = new HashSet<>();
    for (int i = 0; i < count; i++) {
      assertThat(drawn.words()).contains("series-" + i);
      SeriesStyle style = SeriesStyle.of(i);
      assertThat(looks.add(style.color() + style.marker())).as("series %d", i).isTrue();
    }
    assertThat(looks)
        .hasSize(count)
        .allSatisfy(look -> assertThat(chart.svg()).contains(look.substring(0, 7)));
  }

  @Test
  void shouldRefuseMoreSeriesOfDotsThanLookDifferent() {
    DotChart chart = new DotChart("too many", "ratio", "");
    for (int i = 0; i < 36; i++) {
      chart.add("", "row", "series-" + i, i, Fill.SOLID);
    }

    assertThatThrownBy(chart::svg)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("36 series");
  }

  @Test
  void shouldRefuseLinesThatLookAlike() {
    LineChart chart = new LineChart("two lines", "x", Axis.LINEAR);
    chart.add("one", SeriesStyle.of(3), List.of(new Point(1, 1)));

    assertThatThrownBy(() -> chart.add("two", SeriesStyle.of(3), List.of(new Point(1, 2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'two' looks like another line");
  }

  @ParameterizedTest
  @EnumSource(Axis.class)
  void shouldNameAllLinesInsideThePicture(Axis axis) throws Exception {
    LineChart chart = new LineChart("many lines", "seconds", axis);
    for (int i = 0; i < 40; i++) {
      String name = (i % 7 == 0 ? LONG : "policy-") + i;
      chart.add(name, List.of(new Point(0.5, i), new Point(100, 2 * i), new Point(1, Double.NaN)));
    }
    chart.add("target", SeriesStyle.reference(), List.of(new Point(1, 3), new Point(90, 3)));

    DrawnSvg drawn = new DrawnSvg(chart.svg());

    drawn.assertThatTextsFit();
    assertThat(drawn.words()).contains("policy-1", "policy-39", LONG + "14", "target");
    assertThat(drawn.elements("polyline")).as("lines and their keys").hasSize(2 * 41);
    assertThat(chart.svg()).doesNotContain("NaN");
  }

  @Test
  void shouldFitLongNamesAndTitles() throws Exception {
    String longer = LONG + " and " + LONG + " and " + LONG;
    DotChart chart = new DotChart((LONG + " ").repeat(5), LONG, LONG);
    for (int i = 0; i < 12; i++) {
      chart.add("panel " + i + " of " + LONG, longer + i, i + longer, -i, Fill.SOLID);
      chart.add("panel " + i + " of " + LONG, "short", i + longer, 12_345.678, Fill.HOLLOW);
    }

    new DrawnSvg(chart.svg()).assertThatTextsFit();
  }

  @Test
  void shouldSpreadRatiosThatLieFarApart() throws Exception {
    DotChart chart = new DotChart("ratios", "ratio", "");
    for (int i = 1; i <= 4; i++) {
      chart.add("", "throughput " + i, "", i, Fill.SOLID);
    }
    chart.add("", "writes", "", 100, Fill.SOLID);

    List<Double> places =
        new DrawnSvg(chart.svg())
            .elements("circle").stream()
                .map(dot -> Double.parseDouble(dot.getAttribute("cx")))
                .toList();

    assertThat(places.get(3) - places.get(0))
        .as("1 to 4 on an axis that goes on to 100")
        .isGreaterThan((places.get(4) - places.get(0)) / 4);
  }

  @Test
  void shouldSayThatNothingWasMeasured() throws Exception {
    LineChart lines = new LineChart("lines", "x", Axis.LOGARITHMIC);
    lines.add("hits", List.of(new Point(1, Double.NaN), new Point(0, 1)));

    assertThat(new DrawnSvg(lines.svg()).words()).contains("nothing was measured");
    assertThat(new DrawnSvg(new DotChart("dots", "x", "").svg()).words())
        .contains("nothing was measured");
  }

  @Test
  void shouldEscapeNames() throws Exception {
    DotChart chart = new DotChart("a < b & \"c\"", "x", "");
    chart.add("", "<row>", "s", 1, Fill.SOLID);

    assertThat(new DrawnSvg(chart.svg()).words()).contains("a < b & \"c\"", "<row>");
  }
}
