// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.report.HtmlPage;
import io.nvcache.report.chart.LineChart;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Format;
import io.nvcache.report.chart.LineChart.Point;
import io.nvcache.report.chart.SeriesStyle;
import io.nvcache.trace.replay.ReplayResult.Window;
import io.nvcache.trace.replay.TraceGroup.Cell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The page of the command {@code trace}. */
public final class TraceReport {
  private static final List<String> NOTES =
      List.of(
          "Index, allocator, admission and eviction are the cache's; time is virtual and the"
              + " medium keeps no bytes. Hits and writes are real, speed is not measured.",
          "Writes are blocks inserted and, by the weight set, blocks removed, per lookup that the"
              + " DRAM tier could not answer.",
          "Belady knows the future and may write as it likes. The bound holds for every policy with"
              + " this size and budget, and may be out of reach.");

  private TraceReport() {}

  /**
   * The page.
   *
   * @param groups what was measured; at least one
   * @param settings what was asked for, by option
   * @param when the time to print, in words
   */
  public static String of(List<TraceGroup> groups, Map<String, String> settings, String when)
      throws IOException {
    Map<String, String> policies = new LinkedHashMap<>();
    for (Cell cell : groups.get(0).cells()) {
      policies.put(cell.policy().name(), cell.policy().summary());
    }
    String names =
        groups.stream().map(TraceGroup::trace).distinct().collect(Collectors.joining(", "));
    return HtmlPage.of("Traces " + names, when, sections(groups), policies, NOTES, settings);
  }

  private static String sections(List<TraceGroup> groups) {
    Map<String, List<TraceGroup>> bySize = new LinkedHashMap<>();
    for (TraceGroup group : groups) {
      bySize
          .computeIfAbsent(
              group.trace() + "\n" + group.capacity().text(), size -> new ArrayList<>())
          .add(group);
    }
    StringBuilder page = new StringBuilder();
    for (List<TraceGroup> ofOneSize : bySize.values()) {
      page.append("<section>\n<div class=\"plots\">\n")
          .append(HtmlPage.figure(frontier(ofOneSize)))
          .append("</div>\n");
      for (TraceGroup group : ofOneSize) {
        TraceTables.all(group).forEach(table -> page.append(HtmlPage.titledTable(table)));
        page.append("<div class=\"plots\">\n")
            .append(HtmlPage.figure(hits(group)))
            .append(HtmlPage.figure(writes(group)))
            .append("</div>\n");
      }
      page.append("</section>\n");
    }
    return page.toString();
  }

  /** Hits against writes, a line for each policy through its budgets. */
  private static String frontier(List<TraceGroup> ofOneSize) {
    LineChart chart =
        new LineChart(
            "Hit ratio, % · the frontier",
            "medium writes per lookup, % (log)", Axis.LOGARITHMIC, Format.FULL);
    for (int i = 0; i < ofOneSize.get(0).cells().size(); i++) {
      int policy = i;
      List<Cell> cells = ofOneSize.stream().map(group -> group.cells().get(policy)).toList();
      chart.add(
          cells.get(0).policy().name(),
          SeriesStyle.of(policy),
          cells.stream()
              .map(Cell::result)
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
  private static String hits(TraceGroup group) {
    return overTime("Hit ratio of each twentieth, %", group, window -> 100 * window.hitRatio());
  }

  /** Writes of each twentieth of the lookups. */
  private static String writes(TraceGroup group) {
    return overTime(
        "Medium writes per lookup of each twentieth, %",
        group, window -> 100 * window.writesPerLookup());
  }

  private static String overTime(String title, TraceGroup group, ToDoubleFunction<Window> figure) {
    LineChart chart = new LineChart(title, "part of the lookups, %", Axis.LINEAR);
    for (int i = 0; i < group.cells().size(); i++) {
      Cell cell = group.cells().get(i);
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
