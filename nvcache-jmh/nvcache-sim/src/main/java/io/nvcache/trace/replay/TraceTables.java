// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.report.Figures;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TableView;
import io.nvcache.trace.replay.TraceGroup.Cell;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The policies side by side, a table for each trace, size and budget. */
public final class TraceTables {
  private static final TableView POLICIES =
      TableView.by("policy")
          .titled(TraceTables::title)
          .column("hits", "hit_ratio", Figures::percent)
          .column("hits, second half", "second_half_hit_ratio", Figures::percent)
          .column("writes/lookup", "writes_per_lookup", Figures::percent)
          .column("writes/lookup, worst 1 %", "peak_window_writes_per_lookup", Figures::percent)
          .column("admitted", "admitted_blocks", Figures::count)
          .column("written", "medium_bytes_written", Figures::bytes);

  private static final TableView BACKEND =
      TableView.by("policy")
          .titled(TraceTables::title)
          .column("fetched/lookup", "fetched_bytes_per_lookup", Figures::bytes)
          .column("worst 1 %", "peak_window_fetched_bytes_per_lookup", Figures::bytes)
          .column("fetches/lookup", "fetches_per_lookup", Figures::decimal)
          .column("worst 1 %", "peak_window_fetches_per_lookup", Figures::decimal)
          .column("hits/write", "hits_per_write", Figures::decimal)
          .column("written at first lookup", "written_at_first_lookup", Figures::percent);

  private static final List<String> HEADER_AT_EQUAL_WRITES =
      List.of("policy", "hits", "hits, second half", "writes/lookup", "default ÷ it");

  /** What the columns mean. */
  public static final String LEGEND =
      "Hits: of the lookups that got past the DRAM tier. Writes/lookup: blocks written to the medium"
          + " by those lookups, to be compared with the budget; worst 1 %: the most of that in any"
          + " hundredth of the lookups. L/C: lookups for each block that the cache holds, of which"
          + " the first few fill it. Fetches: requests to the backend, one for neighbouring blocks"
          + " that are missed in a row. Gap closed: how far the default comes from the best other"
          + " policy that keeps the budget to the bound. At equal writes: with the writes of the default as the budget.";

  private TraceTables() {}

  /** The policies with the budget as set, and, if there are any to compare, at equal writes. */
  public static List<ResultTable> all(TraceGroup group) {
    Measurements measured = TraceRecords.of(List.of(group));
    List<ResultTable> tables = new ArrayList<>();
    for (ResultTable table : POLICIES.of(title(group), measured, Map.of())) {
      List<List<String>> rows = new ArrayList<>(table.rows());
      group.gapClosed().ifPresent(part -> rows.add(gap(part, table.header().size())));
      tables.add(new ResultTable(table.title(), table.header(), rows));
    }
    tables.addAll(BACKEND.of(title(group) + " · the backend", measured, Map.of()));
    ResultTable equal = atEqualWrites(group);
    if (!equal.rows().isEmpty()) {
      tables.add(equal);
    }
    return tables;
  }

  private static List<String> gap(double closed, int columns) {
    List<String> row = new ArrayList<>(Collections.nCopies(columns, Figures.UNKNOWN));
    row.set(0, "gap closed");
    row.set(1, Figures.percent(closed));
    return row;
  }

  private static String title(String policy) {
    return switch (policy) {
      case "belady" -> "Belady, any writes";
      case "write-bound" -> "bound at this budget";
      default -> policy;
    };
  }

  private static ResultTable atEqualWrites(TraceGroup group) {
    List<List<String>> rows = new ArrayList<>();
    for (Cell ours : group.cells()) {
      if (ours.policy().name().equals(TracePolicies.DEFAULT)) {
        for (Cell cell : group.cells()) {
          ReplayResult equal = cell.atEqualWrites();
          if (equal != null) {
            rows.add(atEqualWrites(cell.policy(), equal, ours.result()));
          }
        }
      }
    }
    return new ResultTable(title(group) + " · at equal writes", HEADER_AT_EQUAL_WRITES, rows);
  }

  private static List<String> atEqualWrites(
      TracePolicy policy, ReplayResult result, ReplayResult ours) {
    return List.of(
        policy.name(),
        Figures.percent(result.end().hitRatio()),
        Figures.percent(result.secondHalfHitRatio()),
        Figures.percent(result.writesPerLookup()),
        Figures.decimal(ours.end().hitRatio() / result.end().hitRatio()));
  }

  private static String title(TraceGroup group) {
    return String.join(
        " · ",
        group.trace(),
        "capacity " + group.capacity().text() + " = " + Figures.bytes(group.capacityBytes()),
        "L/C " + Figures.count(group.lookupsPerCapacity()),
        "budget " + group.budget().text());
  }
}
