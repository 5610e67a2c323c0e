// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.remote.Recording;
import java.awt.Color;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A page on a running cache: what it did while it was watched, and what its shadows say. */
public final class LiveReport {
  static final String TEMPLATE = "live.html";

  private static final int WIDTH = 640;
  private static final int HEIGHT = 320;
  private static final Color MEASURED = new Color(0x25, 0x63, 0xeb);
  private static final Color TARGET = new Color(0xdc, 0x26, 0x26);
  private static final Color LRU = new Color(0x6b, 0x72, 0x80);

  private LiveReport() {}

  /**
   * The page.
   *
   * @param when the time to print, in words
   */
  public static String of(Recording recording, String when) throws IOException {
    String styled = HtmlReport.template(HtmlReport.TEMPLATE);
    Map<Double, Double> own = recording.curve("SizeCurvePercent");
    Map<Double, Double> lru = recording.curve("LruCurvePercent");
    return HtmlReport.fill(
        HtmlReport.template(TEMPLATE),
        Map.of(
            "style", styled.substring(styled.indexOf("<style>"), styled.indexOf("</head>")),
            "title", "A running cache",
            "when", HtmlReport.escape(when),
            "figures",
                HtmlReport.drawn(() -> writes(recording))
                    + HtmlReport.drawn(() -> hits(recording))
                    + (own.isEmpty() ? "" : HtmlReport.drawn(() -> curve(own, lru))),
            "events",
                list(
                    recording.events().stream()
                        .map(event -> Figures.decimal(event.second()) + " s: " + event.text())
                        .toList()),
            "verdicts", list(recording.verdicts()),
            "facts", HtmlReport.definitions(recording.facts())));
  }

  private static String list(List<String> lines) {
    return lines.isEmpty()
        ? "<li>none</li>"
        : lines.stream()
            .map(line -> "<li>" + HtmlReport.escape(line) + "</li>")
            .collect(Collectors.joining("\n"));
  }

  /** Admissions beside the target. */
  static String writes(Recording recording) {
    XYChart chart = Plots.chart("Medium writes per lookup, %", "seconds", WIDTH, HEIGHT);
    add(chart, "admitted", recording, sample -> 100 * sample.writesPerLookup(), MEASURED);
    add(chart, "overhead target", recording, sample -> 100 * sample.overheadTarget(), TARGET)
        .setLineStyle(Plots.DASHED);
    return Plots.svg(chart);
  }

  static String hits(Recording recording) {
    XYChart chart = Plots.chart("Hit ratio, %", "seconds", WIDTH, HEIGHT);
    add(chart, "hits", recording, sample -> 100 * sample.hitRatio(), MEASURED);
    return Plots.svg(chart);
  }

  private static XYSeries add(
      XYChart chart,
      String name,
      Recording recording,
      ToDoubleFunction<Recording.Sample> figure,
      Color color) {
    List<Recording.Sample> known =
        recording.samples().stream()
            .filter(sample -> Double.isFinite(figure.applyAsDouble(sample)))
            .toList();
    if (known.isEmpty()) {
      throw new IllegalStateException("the cache saw no lookup");
    }
    return styled(
        chart.addSeries(
            name,
            known.stream().mapToDouble(Recording.Sample::second).toArray(),
            known.stream().mapToDouble(figure).toArray()),
        color);
  }

  private static XYSeries styled(XYSeries series, Color color) {
    series.setMarker(SeriesMarkers.NONE);
    series.setLineStyle(Plots.LINE);
    series.setLineColor(color);
    return series;
  }

  /** Hits against size, as the shadows foretell them. */
  static String curve(Map<Double, Double> own, Map<Double, Double> lru) {
    XYChart chart =
        Plots.chart("Hit ratio at other sizes, %", "size, as a multiple (log)", WIDTH, HEIGHT);
    chart.getStyler().setXAxisLogarithmic(true).setXAxisMin(null);
    styled(chart.addSeries("these policies", array(own.keySet()), array(own.values())), MEASURED)
        .setMarker(SeriesMarkers.CIRCLE)
        .setMarkerColor(MEASURED);
    styled(chart.addSeries("LRU, takes all", array(lru.keySet()), array(lru.values())), LRU);
    return Plots.svg(chart);
  }

  private static double[] array(Collection<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
