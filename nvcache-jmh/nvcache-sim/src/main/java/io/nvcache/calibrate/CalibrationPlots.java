// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.report.chart.LineChart;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Point;
import java.util.List;
import java.util.function.Function;

/** The paper's two figures for the user's own medium (SoCC '22, Figs. 1 and 2), as SVG. */
final class CalibrationPlots {
  private static final double GIGABYTE = 1e9;

  private CalibrationPlots() {}

  /** Fig. 1: write bandwidth by writers, nobody reading. */
  static String writeBandwidth(CalibrationResult result) {
    return draw(
        "Write bandwidth, GB/s", result, medium -> medium.withReaders(0), PointResult::writes);
  }

  /** Fig. 2: read bandwidth of all readers by writers. */
  static String readBandwidth(CalibrationResult result) {
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
