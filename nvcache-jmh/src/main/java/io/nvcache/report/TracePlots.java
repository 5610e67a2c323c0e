// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.trace.Bounds;
import io.nvcache.trace.ReplayResult.Window;
import io.nvcache.trace.TraceCell;
import io.nvcache.trace.TraceGroup;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws what policies reached on a trace, as SVG. */
final class TracePlots {
  private static final int WIDTH = 860;
  private static final int LEAST_HEIGHT = 480;
  private static final int LEGEND_LINE_HEIGHT = 22;

  private TracePlots() {}

  /** Hits against writes, a line for each policy through its budgets. */
  static String frontier(List<TraceGroup> ofOneSize) {
    XYChart chart =
        chart("Hit ratio, % · the frontier", "medium writes per lookup, % (log)", ofOneSize.get(0));
    chart.getStyler().setXAxisLogarithmic(true).setXAxisMin(null);
    int policies = ofOneSize.get(0).cells().size();
    for (int i = 0; i < policies; i++) {
      int policy = i;
      List<TraceCell> cells = ofOneSize.stream().map(group -> group.cells().get(policy)).toList();
      List<TraceCell> writing =
          cells.stream().filter(cell -> cell.result().writesPerLookup() > 0).toList();
      if (!writing.isEmpty()) {
        XYSeries series =
            chart.addSeries(
                cells.get(0).policy().name(),
                writing.stream().mapToDouble(c -> 100 * c.result().writesPerLookup()).toArray(),
                writing.stream().mapToDouble(c -> 100 * c.result().end().hitRatio()).toArray());
        series.setXYSeriesRenderStyle(
            writing.size() == 1 ? XYSeriesRenderStyle.Scatter : XYSeriesRenderStyle.Line);
      }
    }
    addBounds(chart, ofOneSize);
    return Plots.svg(chart);
  }

  /** Wide, with the names beside it: there may be many. */
  private static XYChart chart(String title, String xAxis, TraceGroup group) {
    int height = Math.max(LEAST_HEIGHT, (group.cells().size() + 2) * LEGEND_LINE_HEIGHT);
    XYChart chart = Plots.chart(title, xAxis, WIDTH, height);
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.OutsideE)
        .setLegendLayout(LegendLayout.Vertical);
    return chart;
  }

  private static void addBounds(XYChart chart, List<TraceGroup> groups) {
    List<TraceGroup> bounded =
        groups.stream().filter(g -> g.bounds() != null && g.budget().value() > 0).toList();
    if (!bounded.isEmpty()) {
      XYSeries series =
          chart.addSeries(
              "bound",
              bounded.stream().mapToDouble(g -> 100 * g.budget().value()).toArray(),
              bounded.stream().mapToDouble(TracePlots::writeBound).toArray());
      series.setMarker(SeriesMarkers.CROSS);
      series.setLineStyle(Plots.DASHED);
    }
  }

  private static double writeBound(TraceGroup group) {
    Bounds bounds = group.bounds();
    return bounds == null ? 0 : 100 * bounds.writeBound();
  }

  /** Hits of each twentieth of the lookups: how fast a cache warms up and follows a change. */
  static String hits(TraceGroup group) {
    return overTime("Hit ratio of each twentieth, %", group, window -> 100 * window.hitRatio());
  }

  /** Writes of each twentieth of the lookups. */
  static String writes(TraceGroup group) {
    return overTime(
        "Medium writes per lookup of each twentieth, %",
        group, window -> 100 * window.writesPerLookup());
  }

  private static String overTime(String title, TraceGroup group, ToDoubleFunction<Window> figure) {
    XYChart chart = chart(title, "part of the lookups, %", group);
    for (TraceCell cell : group.cells()) {
      double[] values = cell.result().segments().stream().mapToDouble(figure).toArray();
      double[] parts = new double[values.length];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = 100.0 * (i + 1) / parts.length;
      }
      if (values.length > 0) {
        chart.addSeries(cell.policy().name(), parts, values).setMarker(SeriesMarkers.NONE);
      }
    }
    return Plots.svg(chart);
  }
}
