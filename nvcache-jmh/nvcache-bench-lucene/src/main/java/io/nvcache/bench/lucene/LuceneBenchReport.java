// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.bench.lucene.LuceneBenchResult.Cell;
import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The comparison as records and as tables. */
final class LuceneBenchReport {
  private static final List<String> HEADER =
      List.of(
          "engine",
          "searches/s",
          "to niofs",
          "to mmap",
          "to caffeine",
          "to default warm",
          "hits",
          "before",
          "to before",
          "wrong");

  static final String LEGEND =
      "To niofs: searches a second, relative to Lucene's plain reads; to mmap, caffeine-direct and"
          + " default-warm in the same way. Hits: of the blocks that"
          + " searches looked for; in the scenario merge right after all segments of the index were"
          + " merged, each into a new one, and before it; in restart right after all was closed and"
          + " opened again, and before it. To before: searches a second after that, as a multiple"
          + " of before. Except in warm, each read of the delegate is late, and the index is larger"
          + " than the cache; mmap can't be delayed and has the whole page cache.";

  private LuceneBenchReport() {}

  /** One record for each metric, scenario and engine; what was not measured is left out. */
  static List<JsonRecords.Entry> records(LuceneBenchResult result) {
    List<JsonRecords.Entry> records = new ArrayList<>();
    for (Cell cell : result.cells()) {
      Map<String, String> labels =
          Map.of("engine", cell.engine().label(), "scenario", cell.scenario().label());
      JsonRecords.add(records, "queries_per_second", labels, cell.queriesPerSecond(), "queries/s");
      JsonRecords.add(records, "ratio_to_niofs", labels, cell.ratioToNiofs(), "ratio");
      addRatio(records, "ratio_to_caffeine_direct", result, cell, LuceneEngine.CAFFEINE_DIRECT);
      addRatio(records, "ratio_to_mmap", result, cell, LuceneEngine.MMAP);
      addRatio(records, "ratio_to_default_warm", result, cell, LuceneEngine.DEFAULT_WARM);
      JsonRecords.add(records, "hit_ratio", labels, cell.hitRatio(), "ratio");
      String event = cell.scenario().label();
      JsonRecords.add(records, "hit_ratio_before_" + event, labels, cell.hitRatioBefore(), "ratio");
      JsonRecords.add(records, "ratio_to_before_" + event, labels, cell.ratioToBefore(), "ratio");
      JsonRecords.add(records, "wrong_results", labels, cell.wrongResults(), "queries");
    }
    return records;
  }

  private static void addRatio(
      List<JsonRecords.Entry> records,
      String name,
      LuceneBenchResult result,
      Cell cell,
      LuceneEngine peer) {
    Map<String, String> labels =
        Map.of("engine", cell.engine().label(), "scenario", cell.scenario().label());
    JsonRecords.add(records, name, labels, result.ratioTo(peer, cell), "ratio");
  }

  static List<String> tables(LuceneBenchResult result, TextTable drawer) {
    List<String> tables = new ArrayList<>();
    for (LuceneScenario scenario : LuceneScenario.values()) {
      List<List<String>> rows =
          result.cells().stream()
              .filter(cell -> cell.scenario() == scenario)
              .map(cell -> row(result, cell))
              .toList();
      if (!rows.isEmpty()) {
        String title = scenario.label() + " · an index of " + Figures.bytes(result.indexBytes());
        tables.add(drawer.draw(new ResultTable(title, HEADER, rows)));
      }
    }
    return tables;
  }

  private static List<String> row(LuceneBenchResult result, Cell cell) {
    return List.of(
        cell.engine().label(),
        String.format(Locale.ROOT, "%.0f", cell.queriesPerSecond()),
        Figures.times(cell.ratioToNiofs()),
        Figures.times(result.ratioTo(LuceneEngine.MMAP, cell)),
        Figures.times(result.ratioTo(LuceneEngine.CAFFEINE_DIRECT, cell)),
        Figures.times(result.ratioTo(LuceneEngine.DEFAULT_WARM, cell)),
        Figures.percent(cell.hitRatio()),
        Figures.percent(cell.hitRatioBefore()),
        Figures.times(cell.ratioToBefore()),
        Long.toString(cell.wrongResults()));
  }
}
