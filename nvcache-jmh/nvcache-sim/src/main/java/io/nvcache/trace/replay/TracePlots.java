// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.report.chart.LineChart;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Format;
import io.nvcache.report.chart.LineChart.Point;
import io.nvcache.report.chart.SeriesStyle;
import io.nvcache.trace.replay.ReplayResult.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Draws what policies reached on a trace, as SVG. A policy looks the same in all plots. */
final class TracePlots {
  private TracePlots() {}

  /** Hits against writes, a line for each policy through its budgets. */
  static String frontier(List<TraceGroup> ofOneSize) {
    LineChart chart =
        new LineChart(
            "Hit ratio, % · the frontier",
            "medium writes per lookup, % (log)", Axis.LOGARITHMIC, Format.FULL);
    for (int i = 0; i < ofOneSize.get(0).cells().size(); i++) {
      int policy = i;
      List<TraceCell> cells = ofOneSize.stream().map(group -> group.cells().get(policy)).toList();
      chart.add(
          cells.get(0).policy().name(),
          SeriesStyle.of(policy),
          cells.stream()
              .map(TraceCell::result)
              .map(r -> new Point(100 * r.writesPerLookup(), 100 * r.end().hitRatio()))
              .toList());
    }
    chart.add("bound", SeriesStyle.reference(), bounds(ofOneSize));
    return chart.svg();
  }

  private static List<Point> bounds(List<TraceGroup> groups) {
    List<Point> points = new ArrayList<>();
    for (TraceGroup group : groups) {
      Bounds bounds = group.bounds();
      if (bounds != null) {
        points.add(new Point(100 * group.budget().value(), 100 * bounds.writeBound()));
      }
    }
    return points;
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
    LineChart chart = new LineChart(title, "part of the lookups, %", Axis.LINEAR);
    for (int i = 0; i < group.cells().size(); i++) {
      TraceCell cell = group.cells().get(i);
      double[] values = cell.result().segments().stream().mapToDouble(figure).toArray();
      List<Point> points = new ArrayList<>();
      for (int part = 0; part < values.length; part++) {
        points.add(new Point(100.0 * (part + 1) / values.length, values[part]));
      }
      chart.add(cell.policy().name(), SeriesStyle.of(i), points);
    }
    return chart.svg();
  }
}
