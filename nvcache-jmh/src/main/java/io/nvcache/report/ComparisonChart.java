// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws what a copying hit costs in each cache, as SVG: a group of bars for each, by length. */
final class ComparisonChart {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 380;
  private static final Color TEXT = new Color(0x37, 0x41, 0x51);
  private static final Color GRID = new Color(0xe5, 0xe7, 0xeb);
  private static final List<Color> COLORS =
      List.of(
          new Color(0x93, 0xc5, 0xfd), new Color(0x25, 0x63, 0xeb), new Color(0x1e, 0x3a, 0x8a));
  private static final String METRIC = "hit_copy_ratio_to_raw";

  private ComparisonChart() {}

  /**
   * Draws hits of one kind.
   *
   * @param hits records of cells that differ in cache and length only
   * @param lengths of blocks, in bytes
   */
  static void draw(RecordSet hits, List<String> lengths, OutputStream out) throws IOException {
    List<String> caches = hits.values("impl");
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title("Hit, copied to a heap array: processor time ÷ that of the bare copy")
            .build();
    style(chart);
    for (String length : lengths) {
      List<Double> ratios =
          caches.stream()
              .map(cache -> hits.where("impl", cache).where("blockBytes", length).first(METRIC))
              .map(OptionalDouble::stream)
              .map(ratio -> ratio.findFirst().orElse(0))
              .toList();
      chart.addSeries(Figures.bytes(Long.parseLong(length)), caches, ratios);
    }
    VectorGraphicsEncoder.saveVectorGraphic(chart, out, VectorGraphicsFormat.SVG);
  }

  private static void style(CategoryChart chart) {
    Font plain = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.InsideNW)
        .setLegendBorderColor(Color.WHITE)
        .setLegendFont(plain)
        .setChartBackgroundColor(Color.WHITE)
        .setChartFontColor(TEXT)
        .setChartTitleFont(plain.deriveFont(Font.BOLD, 13f))
        .setPlotBorderVisible(false)
        .setSeriesColors(COLORS.toArray(Color[]::new));
    chart
        .getStyler()
        .setAxisTickLabelsFont(plain)
        .setPlotGridLinesColor(GRID)
        .setPlotGridLinesStroke(new BasicStroke(1f))
        .setPlotGridVerticalLinesVisible(false)
        .setYAxisMin(0.0)
        .setLocale(Locale.ROOT);
    chart.getStyler().setXAxisLabelRotation(30);
  }
}
