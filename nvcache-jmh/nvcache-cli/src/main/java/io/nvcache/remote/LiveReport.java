// SPDX-License-Identifier: Apache-2.0
package io.nvcache.remote;

import io.nvcache.report.Figures;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.chart.LineChart;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Point;
import io.nvcache.report.chart.Markup;
import io.nvcache.report.chart.SeriesStyle;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A page on a running cache: what it did while it was watched, and what its shadows say. */
public final class LiveReport {
  static final String TEMPLATE = "live.html";

  private LiveReport() {}

  /**
   * The page.
   *
   * @param process the cache's, as it was named
   * @param when the time to print, in words
   */
  public static String of(Recording recording, String process, String when) throws IOException {
    Map<Double, Double> own = recording.curve("SizeCurvePercent");
    Map<Double, Double> lru = recording.curve("LruCurvePercent");
    return HtmlPage.fill(
        HtmlPage.template(LiveReport.class, TEMPLATE),
        Map.of(
            "style", HtmlPage.style(),
            "title", Markup.escape("Cache " + recording.cacheName() + " of process " + process),
            "when", Markup.escape(when),
            "figures",
                HtmlPage.figure(writes(recording))
                    + HtmlPage.figure(hits(recording))
                    + HtmlPage.figure(losses(recording))
                    + (own.isEmpty() ? "" : HtmlPage.figure(curve(own, lru))),
            "events",
                list(
                    recording.events().stream()
                        .map(event -> Figures.decimal(event.second()) + " s: " + event.text())
                        .toList()),
            "verdicts", list(recording.verdicts()),
            "facts", HtmlPage.definitions(facts(recording))));
  }

  private static Map<String, String> facts(Recording recording) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    recording.facts().forEach((name, value) -> facts.put(name, text(name, value)));
    recording
        .offers()
        .forEach(
            (result, count) ->
                facts.put(
                    "Offers " + result.toLowerCase(Locale.ROOT).replace('_', ' '),
                    Figures.count(count)));
    return facts;
  }

  private static String text(String name, Object value) {
    if (!(value instanceof Number number)) {
      return value.toString();
    }
    if (name.endsWith("Percent")) {
      return Figures.percent(number.doubleValue() / 100);
    }
    return name.endsWith("Bytes")
        ? Figures.bytes(number.longValue())
        : Figures.count(number.longValue());
  }

  private static String list(List<String> lines) {
    return lines.isEmpty()
        ? "<li>none</li>"
        : lines.stream()
            .map(line -> "<li>" + Markup.escape(line) + "</li>")
            .collect(Collectors.joining("\n"));
  }

  /** Admissions next to the target. */
  static String writes(Recording recording) {
    LineChart chart = overTime("Medium writes per lookup, %");
    chart.add("admitted", points(recording, sample -> 100 * sample.writesPerLookup()));
    chart.add(
        "overhead target",
        SeriesStyle.reference(),
        points(recording, sample -> 100 * sample.overheadTarget()));
    return chart.svg();
  }

  static String hits(Recording recording) {
    LineChart chart = overTime("Hit ratio, %");
    chart.add("hits", points(recording, sample -> 100 * sample.hitRatio()));
    return chart.svg();
  }

  /** What was kept out, and what was evicted for what came in. */
  static String losses(Recording recording) {
    LineChart chart = overTime("Refusals, evictions and rebalancings per second");
    chart.add("refused", points(recording, Recording.Sample::refusedPerSecond));
    chart.add("evicted", points(recording, Recording.Sample::evictedPerSecond));
    chart.add("rebalanced", points(recording, Recording.Sample::rebalancedPerSecond));
    return chart.svg();
  }

  private static LineChart overTime(String title) {
    return new LineChart(title, "seconds", Axis.LINEAR);
  }

  private static List<Point> points(
      Recording recording, ToDoubleFunction<Recording.Sample> figure) {
    return recording.samples().stream()
        .map(sample -> new Point(sample.second(), figure.applyAsDouble(sample)))
        .toList();
  }

  /** Hits against size, as the shadows foretell them. */
  static String curve(Map<Double, Double> own, Map<Double, Double> lru) {
    LineChart chart =
        new LineChart("Hit ratio at other sizes, %", "size, as a multiple (log)", Axis.LOGARITHMIC);
    chart.add("these policies", points(own));
    chart.add("LRU, takes all", points(lru));
    return chart.svg();
  }

  private static List<Point> points(Map<Double, Double> curve) {
    return curve.entrySet().stream()
        .map(point -> new Point(point.getKey(), point.getValue()))
        .toList();
  }
}
