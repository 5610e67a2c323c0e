// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.HostMachine;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.ResultTable;
import io.nvcache.report.chart.LineChart;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Point;
import io.nvcache.report.chart.Markup;
import io.nvcache.report.chart.SeriesStyle;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The page of {@code bench hbase}: its tables, and what a compaction costs as curves. */
public final class HBaseBenchPage {
  private HBaseBenchPage() {}

  /**
   * Returns the page.
   *
   * @param settings what was asked for, by option
   * @param when the time to print, in words
   */
  public static String of(HBaseBenchResult result, Map<String, String> settings, String when)
      throws IOException {
    List<String> notes = new ArrayList<>(List.of(HBaseBenchReport.LEGEND));
    notes.addAll(result.notes());
    return HtmlPage.of(
        Map.of(
            "title",
            "HBase",
            "when",
            Markup.escape(when),
            "workloads",
            sections(result),
            "policies",
            HtmlPage.definitions(Map.of()),
            "notes",
            HtmlPage.items(notes),
            "settings",
            HtmlPage.definitions(settings),
            "machine",
            HtmlPage.definitions(HostMachine.describe())));
  }

  private static String sections(HBaseBenchResult result) {
    StringBuilder page = new StringBuilder("<section>\n");
    for (ResultTable table : HBaseBenchReport.tables(result)) {
      page.append("<h2>")
          .append(Markup.escape(table.title()))
          .append("</h2>\n")
          .append(HtmlPage.table(table))
          .append("\n");
    }
    for (KeyOrder keys : KeyOrder.values()) {
      List<CompactionWindow> windows = result.windows(keys);
      if (!windows.isEmpty()) {
        String of = ", hot rows " + keys.label();
        page.append("<div class=\"plots\">\n")
            .append(figure("Hit ratio, %" + of, windows, window -> 100 * window.hitRatio()))
            .append(
                figure(
                    "Reads of files, % of the reads" + of,
                    windows,
                    window -> 100 * (1 - window.hitRatio())))
            .append(
                figure(
                    "99th percentile of the reads, us" + of,
                    windows,
                    window -> window.micros().getOrDefault("99", Double.NaN)))
            .append("</div>\n");
      }
    }
    return page.append("</section>\n").toString();
  }

  /** A curve for each engine, from window to window. */
  private static String figure(
      String title, List<CompactionWindow> windows, ToDoubleFunction<CompactionWindow> figure) {
    Map<String, List<Point>> curves = new LinkedHashMap<>();
    for (CompactionWindow window : windows) {
      curves
          .computeIfAbsent(window.contender(), contender -> new ArrayList<>())
          .add(new Point(window.window(), figure.applyAsDouble(window)));
    }
    LineChart chart =
        new LineChart(title, "window; the compaction is 0, and 1 follows its commit", Axis.LINEAR);
    int style = 0;
    for (Map.Entry<String, List<Point>> curve : curves.entrySet()) {
      chart.add(curve.getKey(), SeriesStyle.of(style++), curve.getValue());
    }
    return HtmlPage.figure(chart.svg());
  }
}
