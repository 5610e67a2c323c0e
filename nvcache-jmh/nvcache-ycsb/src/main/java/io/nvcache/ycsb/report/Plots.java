// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.report.chart.LineChart;
import io.nvcache.report.chart.LineChart.Axis;
import io.nvcache.report.chart.LineChart.Point;
import io.nvcache.report.chart.SeriesStyle;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.Sample;
import io.nvcache.ycsb.WorkloadResult;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Draws the curves of one workload as SVG, one line for each policy, over its own time. */
final class Plots {
  private Plots() {}

  static String hitRatio(WorkloadResult workload) {
    return chart("Second-tier hit ratio, %", workload, sample -> 100 * sample.hitRatio()).svg();
  }

  static String throughput(WorkloadResult workload) {
    return chart("Throughput, operations/s", workload, Sample::throughput).svg();
  }

  static String writesPerLookup(BenchmarkResult result, WorkloadResult workload) {
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
