// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.report.chart.Markup;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.MediumChoice;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.WorkloadResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** A page that holds everything it shows: tables, curves as SVG, settings, notes. */
public final class HtmlReport {
  static final String TEMPLATE = "report.html";

  private HtmlReport() {}

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
            "notes",
                Notes.of(result).stream()
                    .map(note -> "<li>" + Markup.escape(note) + "</li>")
                    .collect(Collectors.joining("\n")),
            "settings", definitions(SettingsList.of(result)),
            "machine", definitions(Machine.describe()));
    return page(slots);
  }

  /** The template with its slots filled. */
  static String page(Map<String, String> slots) throws IOException {
    return fill(template(TEMPLATE), slots);
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
    ResultTable table = ResultTable.of(result, workload);
    return "<section>\n<h2>"
        + Markup.escape(table.title())
        + "</h2>\n"
        + htmlTable(table)
        + Verdict.of(workload).stream()
            .map(line -> "\n<p>" + Markup.escape(line) + "</p>")
            .collect(Collectors.joining())
        + "\n<div class=\"plots\">\n"
        + plots(result, workload)
        + "</div>\n</section>";
  }

  private static String plots(BenchmarkResult result, WorkloadResult workload) {
    return figure(Plots.hitRatio(workload))
        + figure(Plots.writesPerLookup(result, workload))
        + figure(Plots.throughput(workload));
  }

  static String htmlTable(ResultTable table) {
    return "<table>\n<thead><tr>"
        + cells("th", table.header())
        + "</tr></thead>\n<tbody>\n"
        + table.rows().stream()
            .map(row -> "<tr>" + cells("td", row) + "</tr>")
            .collect(Collectors.joining("\n"))
        + "\n</tbody>\n</table>";
  }

  private static String cells(String tag, List<String> cells) {
    return cells.stream()
        .map(cell -> "<" + tag + ">" + Markup.escape(cell) + "</" + tag + ">")
        .collect(Collectors.joining());
  }

  static String figure(String svg) {
    return "<figure>" + svg + "</figure>\n";
  }

  private static String policies(List<PolicyChoice> policies) {
    return definitions(
        policies.stream()
            .collect(
                Collectors.toMap(
                    PolicyChoice::label,
                    PolicyChoice::explanation,
                    (first, second) -> first,
                    LinkedHashMap::new)));
  }

  static String definitions(Map<String, String> facts) {
    return facts.entrySet().stream()
        .map(
            fact ->
                "<dt>"
                    + Markup.escape(fact.getKey())
                    + "</dt><dd>"
                    + Markup.escape(fact.getValue())
                    + "</dd>")
        .collect(Collectors.joining("\n"));
  }

  /** The text of a resource beside this class. */
  static String template(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(HtmlReport.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Puts each value in the place of its name in double braces, in one pass over the template. */
  static String fill(String template, Map<String, String> slots) {
    StringBuilder page = new StringBuilder();
    int from = 0;
    for (int open = template.indexOf("{{"); open >= 0; open = template.indexOf("{{", from)) {
      int close = template.indexOf("}}", open);
      String name = template.substring(open + 2, close);
      page.append(template, from, open);
      page.append(Objects.requireNonNull(slots.get(name), name));
      from = close + 2;
    }
    return page.append(template, from, template.length()).toString();
  }
}
