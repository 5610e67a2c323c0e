// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The comparison of second levels under HBase's load generators, as records and as a table. */
public final class ClientsReport {
  private static final String HEADER =
      """
      | phase | below | reads/s | p50 | p99 | p99.9 | hits | written | heap | GC |
      |---|---|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private ClientsReport() {}

  /** Returns one record for each metric, phase and engine. */
  public static List<JsonRecords.Entry> records(List<PhaseFigures> all, ClientsSettings settings) {
    List<JsonRecords.Entry> records = new ArrayList<>();
    for (PhaseFigures figures : all) {
      Map<String, String> labels =
          Map.of(
              "engine",
              figures.engine().label(),
              "phase",
              figures.phase().label(),
              "threads",
              "" + settings.threads(),
              "delay",
              "" + settings.delay().toMillis());
      JsonRecords.add(records, "reads_per_s", labels, figures.readsPerSecond(), "1/s");
      figures
          .micros()
          .forEach(
              (percentile, micros) -> {
                Map<String, String> ofPercentile = new HashMap<>(labels);
                ofPercentile.put("operation", "read");
                ofPercentile.put("percentile", percentile);
                JsonRecords.add(records, "latency", ofPercentile, micros, "us");
              });
      JsonRecords.add(records, "hit_ratio", labels, figures.hitRatio(), "ratio");
      JsonRecords.add(
          records, "medium_bytes_written", labels, (double) figures.writtenBytes(), "bytes");
      JsonRecords.add(records, "heap_bytes", labels, (double) figures.heapBytes(), "bytes");
      JsonRecords.add(records, "gc_ms", labels, (double) figures.collectionMillis(), "ms");
    }
    return records;
  }

  /**
   * Returns a table in Markdown. Speeds and latencies are those of each engine ÷ those without a
   * second level in the same phase, if that was measured.
   */
  public static String table(List<PhaseFigures> all) {
    StringBuilder table = new StringBuilder(HEADER);
    for (ClientsPhase phase : ClientsPhase.values()) {
      List<PhaseFigures> ofPhase =
          all.stream().filter(figures -> figures.phase() == phase).toList();
      Optional<PhaseFigures> none =
          ofPhase.stream().filter(figures -> figures.engine() == ClientsEngine.NONE).findFirst();
      for (PhaseFigures figures : ofPhase) {
        table.append(row(figures, none));
      }
    }
    return table.toString();
  }

  private static String row(PhaseFigures figures, Optional<PhaseFigures> none) {
    List<String> cells =
        new ArrayList<>(
            List.of(
                figures.phase().label(),
                figures.engine().label(),
                ratio(
                    figures.readsPerSecond(),
                    none.map(PhaseFigures::readsPerSecond).orElse(Double.NaN))));
    for (String percentile : LoadResult.PERCENTILES) {
      cells.add(
          ratio(
              figures.micros().getOrDefault(percentile, Double.NaN),
              none.map(those -> those.micros().get(percentile)).orElse(Double.NaN)));
    }
    cells.add(
        Double.isNaN(figures.hitRatio()) ? Figures.UNKNOWN : Figures.percent(figures.hitRatio()));
    cells.add(Figures.bytes(figures.writtenBytes()));
    cells.add(Figures.bytes(figures.heapBytes()));
    cells.add(figures.collectionMillis() + " ms");
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String ratio(double value, double toNone) {
    double ratio = value / toNone;
    return Double.isFinite(ratio) ? Figures.decimal(ratio) : Figures.UNKNOWN;
  }
}
