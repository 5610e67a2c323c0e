// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.device.MediumChoice;
import io.nvcache.report.HostMachine;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.ResultTable;
import io.nvcache.report.chart.Markup;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.WorkloadResult;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A page that holds everything it shows: tables, curves as SVG, settings, notes. */
public final class YcsbReport {
  private YcsbReport() {}

  /**
   * The page.
   *
   * @param result what was measured
   * @param when the time to print, in words
   */
  public static String of(BenchmarkResult result, String when) throws IOException {
    Map<String, String> slots =
        Map.of(
            "title", Markup.escape(title(result)),
            "when", Markup.escape(when),
            "workloads",
                result.workloads().stream()
                    .map(workload -> section(result, workload))
                    .collect(Collectors.joining("\n")),
            "policies", policies(result.settings().policies()),
            "notes", HtmlPage.items(Notes.of(result)),
            "settings", HtmlPage.definitions(SettingsList.of(result)),
            "machine", HtmlPage.definitions(HostMachine.describe()));
    return HtmlPage.of(slots);
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
    return HtmlPage.figure(Plots.hitRatio(workload))
        + HtmlPage.figure(Plots.writesPerLookup(result, workload))
        + HtmlPage.figure(Plots.throughput(workload));
  }

  private static String policies(List<PolicyChoice> policies) {
    return HtmlPage.definitions(
        policies.stream()
            .collect(
                Collectors.toMap(
                    PolicyChoice::label,
                    PolicyChoice::explanation,
                    (first, second) -> first,
                    LinkedHashMap::new)));
  }
}
