// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.OfferResult;
import io.nvcache.report.Figures;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The policies side by side, a table for each trace, size and budget. */
public final class TraceTables {
  private static final List<String> HEADER =
      List.of(
          "policy",
          "hits",
          "hits, second half",
          "writes/lookup",
          "writes/lookup, worst 1 %",
          "admitted",
          "written");
  private static final List<String> HEADER_OF_BACKEND =
      List.of(
          "policy",
          "fetched/lookup",
          "worst 1 %",
          "fetches/lookup",
          "worst 1 %",
          "hits/write",
          "written at first lookup");
  private static final List<String> HEADER_AT_EQUAL_WRITES =
      List.of("policy", "hits", "hits, second half", "writes/lookup", "default ÷ it");
  private static final String BOUND = "bound at this budget";
  private static final String NONE = "–";

  /** What the columns mean. */
  public static final String LEGEND =
      "Hits: of the lookups that got past the DRAM tier. Writes/lookup: blocks written to the medium"
          + " by those lookups, to be compared with the budget; worst 1 %: the most of that in any"
          + " hundredth of the lookups. L/C: lookups for each block that the cache holds, of which"
          + " the first few fill it. Fetches: requests to the backend, one for neighbouring blocks"
          + " that are missed in a row. Gap closed: how far the default comes from the best other"
          + " policy that keeps the budget to the bound. At equal writes: with the writes of the default as the budget.";

  private TraceTables() {}

  /** The tables, drawn for a terminal. */
  public static String draw(TraceGroup group, TextTable style) {
    return all(group).stream().map(style::draw).collect(Collectors.joining("\n"));
  }

  /** The policies with the budget as set, and, if there are any to compare, at equal writes. */
  static List<ResultTable> all(TraceGroup group) {
    return Stream.of(of(group), ofBackend(group), atEqualWrites(group))
        .filter(t -> !t.rows().isEmpty())
        .toList();
  }

  private static ResultTable ofBackend(TraceGroup group) {
    List<List<String>> rows = new ArrayList<>();
    for (TraceCell cell : group.cells()) {
      ReplayResult result = cell.result();
      rows.add(
          List.of(
              cell.policy().name(),
              Figures.bytes(Math.round(result.fetchedBytesPerLookup())),
              Figures.bytes(Math.round(result.peakFetchedBytesPerLookup())),
              Figures.decimal(result.requestsPerLookup()),
              Figures.decimal(result.peakRequestsPerLookup()),
              Figures.decimal(result.hitsPerWrite()),
              Figures.percent(result.writtenAtFirstRatio())));
    }
    Bounds bounds = group.bounds();
    if (bounds != null) {
      rows.add(
          List.of(
              BOUND,
              NONE,
              NONE,
              NONE,
              NONE,
              Figures.decimal(bounds.atBound().hitsPerWrite()),
              Figures.percent(bounds.atBound().writtenAtFirstRatio())));
    }
    return new ResultTable(title(group) + " · the backend", HEADER_OF_BACKEND, rows);
  }

  private static ResultTable atEqualWrites(TraceGroup group) {
    List<List<String>> rows = new ArrayList<>();
    for (TraceCell ours : group.cells()) {
      if (ours.policy().name().equals(TracePolicies.DEFAULT)) {
        for (TraceCell cell : group.cells()) {
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

  private static ResultTable of(TraceGroup group) {
    List<List<String>> rows = new ArrayList<>();
    for (TraceCell cell : group.cells()) {
      rows.add(row(cell));
    }
    Bounds bounds = group.bounds();
    if (bounds != null) {
      rows.add(bound("Belady, any writes", bounds.belady()));
      rows.add(bound(BOUND, bounds.writeBound()));
      group.gapClosed().ifPresent(part -> rows.add(bound("gap closed", part)));
    }
    return new ResultTable(title(group), HEADER, rows);
  }

  private static String title(TraceGroup group) {
    return String.join(
        " · ",
        group.trace(),
        "capacity " + group.capacity().text() + " = " + Figures.bytes(group.capacityBytes()),
        "L/C " + Figures.count(group.lookupsPerCapacity()),
        "budget " + group.budget().text());
  }

  private static List<String> row(TraceCell cell) {
    ReplayResult result = cell.result();
    return List.of(
        cell.policy().name(),
        Figures.percent(result.end().hitRatio()),
        Figures.percent(result.secondHalfHitRatio()),
        Figures.percent(result.writesPerLookup()),
        Figures.percent(result.peakWindowWritesPerLookup()),
        Figures.count(result.end().offers(OfferResult.ADMITTED)),
        Figures.bytes(result.end().mediumWrittenBytes()));
  }

  private static List<String> bound(String name, double hitRatio) {
    return List.of(name, Figures.percent(hitRatio), NONE, NONE, NONE, NONE, NONE);
  }
}
