// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.calibrate.CalibrationResult;
import io.nvcache.calibrate.Estimate;
import io.nvcache.calibrate.MediumResult;
import io.nvcache.calibrate.PointResult;
import java.awt.Color;
import java.util.List;
import java.util.function.Function;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The paper's two figures for the user's own medium (SoCC '22, Figs. 1 and 2), as SVG. */
final class CalibrationPlots {
  private static final double GIGABYTE = 1e9;
  private static final Color[] COLORS = {new Color(0x25, 0x63, 0xeb), new Color(0x6b, 0x72, 0x80)};

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
    XYChart chart = Plots.chart(title, "writers");
    int number = 0;
    for (MediumResult medium : result.media()) {
      List<PointResult> shown = points.apply(medium);
      XYSeries series =
          chart.addSeries(
              medium.label(),
              shown.stream().mapToDouble(point -> point.point().writers()).toArray(),
              shown.stream().mapToDouble(point -> figure.apply(point).mean() / GIGABYTE).toArray(),
              shown.stream()
                  .mapToDouble(point -> figure.apply(point).halfWidth() / GIGABYTE)
                  .toArray());
      series.setMarker(SeriesMarkers.CIRCLE).setMarkerColor(COLORS[number]);
      series.setLineStyle(Plots.LINE).setLineColor(COLORS[number]);
      number++;
    }
    return Plots.svg(chart);
  }
}
