// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.report.Figures;
import io.nvcache.report.HostMachine;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.ResultTable;
import io.nvcache.report.chart.LineChart;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Point;
import io.nvcache.report.chart.Markup;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The page of a calibration. */
public final class CalibrationReport {
  private static final String TEMPLATE = "calibration.html";
  private static final double GIGABYTE = 1e9;

  private CalibrationReport() {}

  /**
   * The page.
   *
   * @param result what was measured
   * @param when the time to print, in words
   */
  public static String of(CalibrationResult result, String when) throws IOException {
    String notes = HtmlPage.items(CalibrationTables.notes(result));
    return HtmlPage.fill(
        HtmlPage.template(CalibrationReport.class, TEMPLATE),
        Map.of(
            "style", HtmlPage.style(),
            "title", Markup.escape("Calibration of " + result.calibrated().label()),
            "when", Markup.escape(when),
            "recommendation", Markup.escape(CalibrationTables.recommendation(result)),
            "figures", figures(result),
            "tables",
                CalibrationTables.of(result).stream()
                    .map(CalibrationReport::section)
                    .collect(Collectors.joining("\n")),
            "notes", notes,
            "models",
                result.media().stream()
                    .map(CalibrationReport::model)
                    .collect(Collectors.joining("\n")),
            "machine", HtmlPage.definitions(HostMachine.describe()),
            "settings", HtmlPage.definitions(settings(result))));
  }

  private static String figures(CalibrationResult result) {
    return HtmlPage.figure(writeBandwidth(result)) + HtmlPage.figure(readBandwidth(result));
  }

  private static String section(ResultTable table) {
    return "<section>\n<h2>"
        + Markup.escape(table.title())
        + "</h2>\n"
        + HtmlPage.table(table)
        + "\n</section>";
  }

  private static String model(MediumResult medium) {
    return "<section><h2>Model of "
        + Markup.escape(medium.label())
        + "</h2><dl>\n"
        + HtmlPage.definitions(CalibrationTables.parameters(medium))
        + "\n</dl></section>";
  }

  private static Map<String, String> settings(CalibrationResult result) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("Block", Figures.bytes(result.settings().blockBytes()));
    facts.put("Each medium", Figures.bytes(result.settings().mediumBytes()));
    facts.put("Rounds", Integer.toString(result.rounds()));
    facts.put("Time to measure", result.settings().duration().toSeconds() + " s");
    return facts;
  }

  /** Fig. 1: write bandwidth by writers, nobody reading. */
  private static String writeBandwidth(CalibrationResult result) {
    return draw(
        "Write bandwidth, GB/s", result, medium -> medium.withReaders(0), PointResult::writes);
  }

  /** Fig. 2: read bandwidth of all readers by writers. */
  private static String readBandwidth(CalibrationResult result) {
    int readers = result.settings().maxReaders();
    return draw(
        "Read bandwidth of " + readers + (readers == 1 ? " reader" : " readers") + ", GB/s",
        result,
        medium -> medium.withReaders(readers),
        PointResult::reads);
  }

  private static String draw(
      String title,
      CalibrationResult result,
      Function<MediumResult, List<PointResult>> points,
      Function<PointResult, Estimate> figure) {
    LineChart chart = new LineChart(title, "writers", Axis.LINEAR);
    for (MediumResult medium : result.media()) {
      chart.add(
          medium.label(),
          points.apply(medium).stream()
              .map(point -> point(point.point().writers(), figure.apply(point)))
              .toList());
    }
    return chart.svg();
  }

  private static Point point(int writers, Estimate estimate) {
    return new Point(writers, estimate.mean() / GIGABYTE, estimate.halfWidth() / GIGABYTE);
  }
}
