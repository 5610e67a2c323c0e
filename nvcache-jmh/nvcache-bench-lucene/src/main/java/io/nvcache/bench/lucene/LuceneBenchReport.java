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
      List.of("engine", "searches/s", "to niofs", "hits", "before", "to before", "wrong");

  static final String LEGEND =
      "To niofs: searches a second, relative to Lucene's plain reads. Hits: of the blocks that"
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
      JsonRecords.add(records, "hit_ratio", labels, cell.hitRatio(), "ratio");
      String event = cell.scenario().label();
      JsonRecords.add(records, "hit_ratio_before_" + event, labels, cell.hitRatioBefore(), "ratio");
      JsonRecords.add(records, "ratio_to_before_" + event, labels, cell.ratioToBefore(), "ratio");
      JsonRecords.add(records, "wrong_results", labels, cell.wrongResults(), "queries");
    }
    return records;
  }

  static List<String> tables(LuceneBenchResult result, TextTable drawer) {
    List<String> tables = new ArrayList<>();
    for (LuceneScenario scenario : LuceneScenario.values()) {
      List<List<String>> rows =
          result.cells().stream()
              .filter(cell -> cell.scenario() == scenario)
              .map(LuceneBenchReport::row)
              .toList();
      if (!rows.isEmpty()) {
        String title = scenario.label() + " · an index of " + Figures.bytes(result.indexBytes());
        tables.add(drawer.draw(new ResultTable(title, HEADER, rows)));
      }
    }
    return tables;
  }

  private static List<String> row(Cell cell) {
    return List.of(
        cell.engine().label(),
        String.format(Locale.ROOT, "%.0f", cell.queriesPerSecond()),
        Figures.times(cell.ratioToNiofs()),
        Figures.percent(cell.hitRatio()),
        Figures.percent(cell.hitRatioBefore()),
        Figures.times(cell.ratioToBefore()),
        Long.toString(cell.wrongResults()));
  }
}
