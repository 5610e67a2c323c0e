// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.report.Figures;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The comparison as tables. */
final class LuceneBenchReport {
  static final String LEGEND =
      "To niofs: searches a second, relative to Lucene's plain reads; to mmap, caffeine-direct and"
          + " default-warm in the same way. Hits: of the blocks that searches looked for; in the"
          + " scenario merge right after all segments of the index were merged, each into a new"
          + " one, and before it. To before: searches a second after that, as a multiple of before."
          + " Except in warm, each read of the delegate is late, and the index is larger than the"
          + " cache; mmap can't be delayed and has the whole page cache.";

  private LuceneBenchReport() {}

  /** Returns the table of each scenario that ran. */
  static List<ResultTable> tables(Measurements measured, int documents) {
    List<ResultTable> tables = new ArrayList<>();
    for (String scenario : measured.values("scenario")) {
      tables.addAll(
          TableView.by("engine")
              .column("searches/s", "queries_per_second", Figures::count)
              .column("to niofs", "ratio_to_niofs", Figures::times)
              .column("to mmap", "ratio_to_mmap", Figures::times)
              .column("to caffeine", "ratio_to_caffeine_direct", Figures::times)
              .column("to default warm", "ratio_to_default_warm", Figures::times)
              .column("hits", "hit_ratio", Figures::percent)
              .column("before", "hit_ratio_before_" + scenario, Figures::percent)
              .column("to before", "ratio_to_before_" + scenario, Figures::times)
              .column("wrong", "wrong_results", Figures::count)
              .of(
                  scenario + " · an index of " + Figures.count(documents) + " documents",
                  measured,
                  Map.of("scenario", scenario)));
    }
    return tables;
  }
}
