// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.OfferResult;
import io.nvcache.report.Figures;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TextTable;
import java.util.ArrayList;
import java.util.List;

/** The policies side by side, a table for each trace, size and budget. */
public final class TraceTables {
  private static final List<String> HEADER =
      List.of("policy", "hits", "writes/lookup", "writes/lookup, worst 1 %", "admitted", "written");
  private static final String NONE = "–";

  /** What the columns mean. */
  public static final String LEGEND =
      "Hits: of the lookups that got past the DRAM tier. Writes/lookup: blocks written to the medium"
          + " by those lookups, to be compared with the budget; worst 1 %: the most of that in any"
          + " hundredth of the lookups.";

  private TraceTables() {}

  /** The table, drawn for a terminal. */
  public static String draw(TraceGroup group, TextTable style) {
    return style.draw(of(group));
  }

  static ResultTable of(TraceGroup group) {
    List<List<String>> rows = new ArrayList<>();
    for (TraceCell cell : group.cells()) {
      rows.add(row(cell));
    }
    Bounds bounds = group.bounds();
    if (bounds != null) {
      rows.add(bound("Belady, any writes", bounds.belady()));
      rows.add(bound("bound at this budget", bounds.writeBound()));
    }
    return new ResultTable(title(group), HEADER, rows);
  }

  private static String title(TraceGroup group) {
    return String.join(
        " · ",
        group.trace(),
        "capacity " + group.capacity().text() + " = " + Figures.bytes(group.capacityBytes()),
        "budget " + group.budget().text());
  }

  private static List<String> row(TraceCell cell) {
    ReplayResult result = cell.result();
    return List.of(
        cell.policy().name(),
        Figures.percent(result.end().hitRatio()),
        Figures.percent(result.writesPerLookup()),
        Figures.percent(result.peakWindowWritesPerLookup()),
        Figures.count(result.end().offers(OfferResult.ADMITTED)),
        Figures.bytes(result.end().mediumWrittenBytes()));
  }

  private static List<String> bound(String name, double hitRatio) {
    return List.of(name, Figures.percent(hitRatio), NONE, NONE, NONE, NONE);
  }
}
