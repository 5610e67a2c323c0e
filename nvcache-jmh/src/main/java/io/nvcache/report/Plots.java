// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.Sample;
import io.nvcache.ycsb.WorkloadResult;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws the curves of one workload as SVG, one line for each policy, over its own time. */
final class Plots {
  private static final int WIDTH = 420;
  private static final int HEIGHT = 280;
  static final BasicStroke LINE =
      new BasicStroke(2f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
  static final BasicStroke DASHED =
      new BasicStroke(
          1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, new float[] {6, 4}, 0);
  private static final Color TEXT = new Color(0x37, 0x41, 0x51);
  private static final Color GRID = new Color(0xe5, 0xe7, 0xeb);

  private Plots() {}

  static String hitRatio(WorkloadResult workload) {
    return svg(chart("Second-tier hit ratio, %", workload, sample -> 100 * sample.hitRatio()));
  }

  static String throughput(WorkloadResult workload) {
    return svg(chart("Throughput, operations/s", workload, Sample::throughput));
  }

  static String writesPerLookup(BenchmarkResult result, WorkloadResult workload) {
    XYChart chart =
        chart(
            "Medium writes per lookup since the start, %",
            workload, sample -> 100 * sample.writesPerLookup());
    double end = lastSecond(workload);
    double target = 100 * result.settings().cache().overheadTarget();
    XYSeries line = chart.addSeries("target", new double[] {0, end}, new double[] {target, target});
    line.setMarker(SeriesMarkers.NONE).setLineColor(TEXT).setLineStyle(DASHED);
    return svg(chart);
  }

  private static XYChart chart(
      String title, WorkloadResult workload, ToDoubleFunction<Sample> figure) {
    XYChart chart = chart(title, timeAxis(workload));
    for (PolicyResult policy : workload.policies()) {
      addSeries(chart, policy, figure);
    }
    return chart;
  }

  /** An empty one. */
  static XYChart chart(String title, String xAxis) {
    return chart(title, xAxis, WIDTH, HEIGHT);
  }

  /** A chart without lines, in the style that all share. */
  static XYChart chart(String title, String xAxis, int width, int height) {
    XYChart chart =
        new XYChartBuilder().width(width).height(height).title(title).xAxisTitle(xAxis).build();
    style(chart);
    return chart;
  }

  private static void addSeries(
      XYChart chart, PolicyResult policy, ToDoubleFunction<Sample> figure) {
    List<Sample> samples =
        policy.samples().stream()
            .filter(sample -> Double.isFinite(figure.applyAsDouble(sample)))
            .toList();
    if (samples.isEmpty()) {
      return;
    }
    XYSeries series =
        chart.addSeries(
            policy.policy().label(),
            samples.stream().mapToDouble(Sample::seconds).toArray(),
            samples.stream().mapToDouble(figure).toArray());
    series.setMarker(SeriesMarkers.NONE);
    series.setLineStyle(LINE);
    series.setLineColor(color(policy.policy()));
  }

  /** A policy has one colour in all plots. */
  private static Color color(PolicyChoice policy) {
    return switch (policy) {
      case NONE -> new Color(0x6b, 0x72, 0x80);
      case ADMIT_ALL -> new Color(0xdc, 0x26, 0x26);
      case PAPER -> new Color(0x25, 0x63, 0xeb);
      case DEFAULT -> new Color(0x05, 0x96, 0x69);
    };
  }

  private static String timeAxis(WorkloadResult workload) {
    double warmUp = workload.policies().get(0).warmUpSeconds();
    return String.format(Locale.ROOT, "seconds (measured from %.1f on)", warmUp);
  }

  private static double lastSecond(WorkloadResult workload) {
    return workload.policies().stream()
        .flatMap(policy -> policy.samples().stream())
        .mapToDouble(Sample::seconds)
        .max()
        .orElse(1);
  }

  private static void style(XYChart chart) {
    Font plain = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.OutsideS)
        .setLegendLayout(LegendLayout.Horizontal)
        .setLegendBorderColor(Color.WHITE)
        .setLegendFont(plain)
        .setChartBackgroundColor(Color.WHITE)
        .setChartFontColor(TEXT)
        .setChartTitleFont(plain.deriveFont(Font.BOLD, 13f))
        .setPlotBorderVisible(false);
    chart
        .getStyler()
        .setAxisTickLabelsFont(plain)
        .setAxisTitleFont(plain)
        .setPlotGridLinesColor(GRID)
        .setPlotGridLinesStroke(new BasicStroke(1f))
        .setPlotGridVerticalLinesVisible(false)
        .setYAxisMin(0.0)
        .setXAxisMin(0.0)
        .setLocale(Locale.ROOT);
  }

  static String svg(XYChart chart) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      VectorGraphicsEncoder.saveVectorGraphic(chart, out, VectorGraphicsFormat.SVG);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    String svg = out.toString(StandardCharsets.UTF_8);
    return svg.substring(svg.indexOf("<svg"));
  }
}
