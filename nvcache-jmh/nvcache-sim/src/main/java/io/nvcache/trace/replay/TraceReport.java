// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.report.HostMachine;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.ResultTable;
import io.nvcache.report.chart.Markup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The page of the command {@code trace}. */
public final class TraceReport {
  private static final List<String> NOTES =
      List.of(
          "Index, allocator, admission and eviction are the cache's; time is virtual and the"
              + " medium keeps no bytes. Hits and writes are real, speed is not measured.",
          "Writes are blocks inserted and, by the weight set, blocks removed, per lookup that the"
              + " DRAM tier could not answer.",
          "Belady knows the future and may write as it likes. The bound holds for every policy with"
              + " this size and budget, and may be out of reach.");

  private TraceReport() {}

  /**
   * The page.
   *
   * @param groups what was measured; at least one
   * @param settings what was asked for, by option
   * @param when the time to print, in words
   */
  public static String of(List<TraceGroup> groups, Map<String, String> settings, String when)
      throws IOException {
    Map<String, String> policies = new LinkedHashMap<>();
    for (TraceCell cell : groups.get(0).cells()) {
      policies.put(cell.policy().name(), cell.policy().summary());
    }
    return HtmlPage.of(
        Map.of(
            "title",
            Markup.escape(
                "Traces "
                    + groups.stream()
                        .map(TraceGroup::trace)
                        .distinct()
                        .collect(Collectors.joining(", "))),
            "when",
            Markup.escape(when),
            "workloads",
            sections(groups),
            "policies",
            HtmlPage.definitions(policies),
            "notes",
            HtmlPage.items(NOTES),
            "settings",
            HtmlPage.definitions(settings),
            "machine",
            HtmlPage.definitions(HostMachine.describe())));
  }

  private static String sections(List<TraceGroup> groups) {
    Map<String, List<TraceGroup>> bySize = new LinkedHashMap<>();
    for (TraceGroup group : groups) {
      bySize
          .computeIfAbsent(
              group.trace() + "\n" + group.capacity().text(), size -> new ArrayList<>())
          .add(group);
    }
    StringBuilder page = new StringBuilder();
    for (List<TraceGroup> ofOneSize : bySize.values()) {
      page.append("<section>\n<div class=\"plots\">\n")
          .append(HtmlPage.figure(TracePlots.frontier(ofOneSize)))
          .append("</div>\n");
      for (TraceGroup group : ofOneSize) {
        for (ResultTable table : TraceTables.all(group)) {
          page.append("<h2>")
              .append(Markup.escape(table.title()))
              .append("</h2>\n")
              .append(HtmlPage.table(table))
              .append("\n");
        }
        page.append("<div class=\"plots\">\n")
            .append(HtmlPage.figure(TracePlots.hits(group)))
            .append(HtmlPage.figure(TracePlots.writes(group)))
            .append("</div>\n");
      }
      page.append("</section>\n");
    }
    return page.toString();
  }
}
