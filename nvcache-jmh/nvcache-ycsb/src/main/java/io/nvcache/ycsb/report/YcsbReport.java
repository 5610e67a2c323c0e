// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.device.MediumChoice;
import io.nvcache.report.Figures;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.ResultTable;
import io.nvcache.report.chart.LineChart;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Point;
import io.nvcache.report.chart.Markup;
import io.nvcache.report.chart.SeriesStyle;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.PolicyResult.Sample;
import io.nvcache.ycsb.WorkloadResult;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A page that holds everything it shows: tables, curves as SVG, settings, notes. */
public final class YcsbReport {
  private YcsbReport() {}

  /**
   * The page.
   *
   * @param result what was measured
   * @param asked what was asked for, by option
   * @param when the time to print, in words
   */
  public static String of(BenchmarkResult result, Map<String, String> asked, String when)
      throws IOException {
    Map<String, String> settings = new LinkedHashMap<>(asked);
    settings.put(
        "data",
        Figures.bytes(result.store().dataBytes()) + " in " + result.store().fileCount() + " files");
    String sections =
        result.workloads().stream()
            .map(workload -> section(result, workload))
            .collect(Collectors.joining("\n"));
    return HtmlPage.of(
        title(result),
        when,
        sections,
        policies(result.settings().policies()),
        Notes.of(result),
        settings);
  }

  private static String title(BenchmarkResult result) {
    String workloads =
        result.settings().workloads().stream().map(Enum::name).collect(Collectors.joining(", "));
    String media =
        result.settings().cache().media().stream()
            .map(MediumChoice::title)
            .collect(Collectors.joining(" and "));
    return "YCSB " + workloads + " on " + media;
  }

  private static String section(BenchmarkResult result, WorkloadResult workload) {
    ResultTable table = YcsbTable.of(result, workload);
    return "<section>\n<h2>"
        + Markup.escape(table.title())
        + "</h2>\n"
        + HtmlPage.table(table)
        + Verdict.of(workload).stream()
            .map(line -> "\n<p>" + Markup.escape(line) + "</p>")
            .collect(Collectors.joining())
        + "\n<div class=\"plots\">\n"
        + plots(result, workload)
        + "</div>\n</section>";
  }

  private static String plots(BenchmarkResult result, WorkloadResult workload) {
    return HtmlPage.figure(hitRatio(workload))
        + HtmlPage.figure(writesPerLookup(result, workload))
        + HtmlPage.figure(throughput(workload));
  }

  private static Map<String, String> policies(List<PolicyChoice> policies) {
    Map<String, String> explained = new LinkedHashMap<>();
    policies.forEach(policy -> explained.put(policy.label(), policy.explanation()));
    return explained;
  }

  private static String hitRatio(WorkloadResult workload) {
    return chart("Second-tier hit ratio, %", workload, sample -> 100 * sample.hitRatio()).svg();
  }

  private static String throughput(WorkloadResult workload) {
    return chart("Throughput, operations/s", workload, Sample::throughput).svg();
  }

  private static String writesPerLookup(BenchmarkResult result, WorkloadResult workload) {
    LineChart chart =
        chart(
            "Medium writes per lookup since the start, %",
            workload, sample -> 100 * sample.writesPerLookup());
    double target = 100 * result.settings().cache().overheadTarget();
    chart.add(
        "target",
        SeriesStyle.reference(),
        List.of(new Point(0, target), new Point(lastSecond(workload), target)));
    return chart.svg();
  }

  private static LineChart chart(
      String title, WorkloadResult workload, ToDoubleFunction<Sample> figure) {
    LineChart chart = new LineChart(title, timeAxis(workload), Axis.LINEAR);
    for (PolicyResult policy : workload.policies()) {
      chart.add(
          policy.policy().label(),
          style(policy.policy()),
          policy.samples().stream()
              .map(sample -> new Point(sample.seconds(), figure.applyAsDouble(sample)))
              .toList());
    }
    return chart;
  }

  /** Returns how a policy looks, which is the same in all plots. */
  private static SeriesStyle style(PolicyChoice policy) {
    return SeriesStyle.of(
        switch (policy) {
          case DEFAULT -> 0;
          case ADMIT_ALL -> 1;
          case PAPER -> 2;
          case NONE -> 6;
        });
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
}
