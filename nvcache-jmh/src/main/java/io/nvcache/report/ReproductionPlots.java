// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.model.figures.FigureResult;
import io.nvcache.model.figures.Row;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Draws a figure as bars: rows of the unit that most of its rows have, a group for each finding and
 * a colour for each system; where the paper has numbers, they are bars of their own.
 */
final class ReproductionPlots {
  private static final int WIDTH = 980;
  private static final int HEIGHT = 420;
  private static final int MOST_GROUPS = 60;
  private static final Color TEXT = new Color(0x37, 0x41, 0x51);
  private static final Color GRID = new Color(0xe5, 0xe7, 0xeb);
  private static final String PAPER = "paper's figure";

  private ReproductionPlots() {}

  /** The figure as SVG. */
  static String of(FigureResult figure) {
    String unit = commonUnit(figure.rows());
    List<Row> rows = figure.rows().stream().filter(row -> row.unit().equals(unit)).toList();
    List<String> groups =
        rows.stream().map(ReproductionPlots::group).distinct().limit(MOST_GROUPS).toList();
    CategoryChart chart =
        new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(figure.title()).build();
    style(chart);
    chart.setYAxisTitle(unit);
    for (String system : rows.stream().map(Row::system).distinct().toList()) {
      addBars(chart, system, groups, rows.stream().filter(row -> row.system().equals(system)));
    }
    if (rows.stream().anyMatch(row -> !Double.isNaN(row.paper()))) {
      addPaper(chart, groups, rows);
    }
    return svg(chart);
  }

  /** Series of ratios by name, each with a bar for each system. */
  static String ratios(String title, Map<String, Map<String, Double>> series) {
    CategoryChart chart =
        new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(title).build();
    style(chart);
    chart.setYAxisTitle("against none");
    series.forEach((name, values) -> add(chart, name, List.copyOf(values.keySet()), values));
    return svg(chart);
  }

  private static void addBars(
      CategoryChart chart, String system, List<String> groups, Stream<Row> rows) {
    Map<String, Double> values = new LinkedHashMap<>();
    rows.forEach(row -> values.putIfAbsent(group(row), row.model()));
    add(chart, system.isEmpty() ? "model" : system, groups, values);
  }

  private static void addPaper(CategoryChart chart, List<String> groups, List<Row> rows) {
    Map<String, Double> values = new LinkedHashMap<>();
    rows.stream()
        .filter(row -> !Double.isNaN(row.paper()))
        .forEach(row -> values.putIfAbsent(group(row), row.paper()));
    add(chart, PAPER, groups, values);
  }

  private static void add(
      CategoryChart chart, String name, List<String> groups, Map<String, Double> values) {
    List<Double> bars = new ArrayList<>();
    groups.forEach(group -> bars.add(values.getOrDefault(group, 0.0)));
    chart.addSeries(name, groups, bars);
  }

  private static String commonUnit(List<Row> rows) {
    return rows.stream()
        .map(Row::unit)
        .max(
            (one, other) ->
                Long.compare(
                    rows.stream().filter(row -> row.unit().equals(one)).count(),
                    rows.stream().filter(row -> row.unit().equals(other)).count()))
        .orElse("");
  }

  private static String group(Row row) {
    return row.workload() + ": " + row.row();
  }

  private static void style(CategoryChart chart) {
    Font plain = new Font(Font.SANS_SERIF, Font.PLAIN, 10);
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.OutsideE)
        .setLegendBorderColor(Color.WHITE)
        .setLegendFont(plain)
        .setChartBackgroundColor(Color.WHITE)
        .setChartFontColor(TEXT)
        .setChartTitleFont(plain.deriveFont(Font.BOLD, 13f))
        .setPlotBorderVisible(false);
    chart
        .getStyler()
        .setAxisTickLabelsFont(plain)
        .setPlotGridLinesColor(GRID)
        .setPlotGridLinesStroke(new BasicStroke(1f))
        .setPlotGridVerticalLinesVisible(false)
        .setLocale(Locale.ROOT);
    chart.getStyler().setXAxisLabelRotation(90);
  }

  private static String svg(CategoryChart chart) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      VectorGraphicsEncoder.saveVectorGraphic(chart, out, VectorGraphicsFormat.SVG);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    String svg = out.toString(StandardCharsets.UTF_8);
    return svg.substring(svg.indexOf("<svg"));
  }
}
