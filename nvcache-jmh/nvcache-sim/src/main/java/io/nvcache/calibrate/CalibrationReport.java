// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.report.Figures;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.Measurements;
import io.nvcache.report.chart.LineChart;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Point;
import io.nvcache.report.chart.Markup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page of a calibration. */
public final class CalibrationReport {
  private static final double GIGABYTE = 1e9;

  private CalibrationReport() {}

  /**
   * The page.
   *
   * @param result what was measured
   * @param when the time to print, in words
   */
  public static String of(CalibrationResult result, String when) throws IOException {
    Measurements measured = CalibrationRecords.of(result);
    int readers = result.settings().maxReaders();
    String all = readers + (readers == 1 ? " reader" : " readers");
    StringBuilder sections =
        new StringBuilder("<section>\n<h2>")
            .append(Markup.escape(CalibrationTables.recommendation(result)))
            .append("</h2>\n<div class=\"plots\">\n")
            // The paper's two figures for the user's own medium (SoCC '22, Figs. 1 and 2).
            .append(figure("Write bandwidth, GB/s", "write_bandwidth", 0, measured))
            .append(
                figure("Read bandwidth of " + all + ", GB/s", "read_bandwidth", readers, measured))
            .append("</div>\n");
    CalibrationTables.of(result).forEach(table -> sections.append(HtmlPage.titledTable(table)));
    return HtmlPage.of(
        "Calibration of " + result.calibrated().label(),
        when,
        sections.append("</section>\n").toString(),
        CalibrationTables.notes(result),
        settings(result));
  }

  /** A bandwidth by writers, with so many readers. */
  private static String figure(String title, String metric, int readers, Measurements measured) {
    LineChart chart = new LineChart(title, "writers", Axis.LINEAR);
    Measurements reading = measured.where("readers", Integer.toString(readers));
    for (String medium : reading.values("medium")) {
      List<Point> points = new ArrayList<>();
      for (String writers : reading.values("writers")) {
        Map<String, String> at = Map.of("medium", medium, "writers", writers);
        points.add(
            new Point(
                Integer.parseInt(writers),
                reading.value(metric, at) / GIGABYTE,
                reading.value(metric + "_confidence", at) / GIGABYTE));
      }
      chart.add(medium, points);
    }
    return HtmlPage.figure(chart.svg());
  }

  private static Map<String, String> settings(CalibrationResult result) {
    Map<String, String> facts = new LinkedHashMap<>();
    result.media().forEach(medium -> facts.put(medium.label(), medium.description()));
    facts.put("Block", Figures.bytes(result.settings().blockBytes()));
    facts.put("Each medium", Figures.bytes(result.settings().mediumBytes()));
    facts.put("Rounds", Integer.toString(result.rounds()));
    facts.put("Time to measure", result.settings().duration().toSeconds() + " s");
    return facts;
  }
}
