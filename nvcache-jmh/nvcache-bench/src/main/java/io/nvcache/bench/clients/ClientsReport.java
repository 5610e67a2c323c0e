// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The comparison of second levels below a server of HBase, as records and as tables. */
public final class ClientsReport {
  private static final String HEADER =
      """
      | reads | phase | below | reads/s | p50 | p99 | p99.9 | p99 served | hits | written | heap | GC |
      |---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private static final String PAIRS_HEADER =
      """
      | reads | phase | pair | reads/s | p50 | p99 | p99.9 | p99 served | hits | written |
      |---|---|---|--:|--:|--:|--:|--:|--:|--:|
      """;

  /** What the two tables show. */
  public static final String LEGEND =
      "Reads/s and latencies ÷ those without a second level; p99 served: of the reads that waited for"
          + " no store file. Below, NVCache ÷ the BucketCache of the same kind of medium.";

  private static final Comparator<PhaseFigures> ORDER =
      Comparator.comparing(PhaseFigures::load)
          .thenComparing(PhaseFigures::phase)
          .thenComparing(PhaseFigures::engine);

  private ClientsReport() {}

  /** Returns one record for each metric, load, phase and engine, and for each pair of engines. */
  public static List<JsonRecords.Entry> records(List<PhaseFigures> all, ClientsSettings settings) {
    List<JsonRecords.Entry> records = new ArrayList<>();
    for (PhaseFigures figures : all) {
      Map<String, String> labels = new HashMap<>();
      labels.put("engine", figures.engine().label());
      labels.put("load", figures.load().label());
      labels.put("phase", figures.phase().label());
      labels.put("threads", "" + settings.threads());
      labels.put("delay", "" + settings.delay().toMillis());
      if (settings.memoryBytes() > 0) {
        labels.put("memory", "" + settings.memoryBytes());
      }
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
      JsonRecords.add(records, "served_p99_us", labels, figures.servedP99Micros(), "us");
      JsonRecords.add(records, "hit_ratio", labels, figures.hitRatio(), "ratio");
      JsonRecords.add(
          records, "medium_bytes_written", labels, (double) figures.writtenBytes(), "bytes");
      JsonRecords.add(records, "heap_bytes", labels, (double) figures.heapBytes(), "bytes");
      JsonRecords.add(records, "gc_ms", labels, (double) figures.collectionMillis(), "ms");
      EnginePair.of(figures, all).ifPresent(pair -> add(records, labels, pair));
    }
    return records;
  }

  private static void add(
      List<JsonRecords.Entry> records, Map<String, String> labels, EnginePair pair) {
    JsonRecords.add(records, "reads_ratio_to_bucket", labels, pair.readsPerSecond(), "ratio");
    JsonRecords.add(records, "served_p99_ratio_to_bucket", labels, pair.servedP99(), "ratio");
    JsonRecords.add(records, "hits_ratio_to_bucket", labels, pair.hits(), "ratio");
    JsonRecords.add(records, "written_ratio_to_bucket", labels, pair.writtenBytes(), "ratio");
  }

  /** Returns the tables in Markdown, the second one where there is a pair to compare. */
  public static String tables(List<PhaseFigures> all) {
    StringBuilder table = new StringBuilder(HEADER);
    StringBuilder pairs = new StringBuilder();
    for (PhaseFigures figures : all.stream().sorted(ORDER).toList()) {
      table.append(row(figures, EnginePair.find(ClientsEngine.NONE, figures, all)));
      EnginePair.of(figures, all).ifPresent(pair -> pairs.append(row(pair)));
    }
    return pairs.isEmpty() ? table.toString() : table + "\n" + PAIRS_HEADER + pairs;
  }

  private static String row(PhaseFigures figures, Optional<PhaseFigures> none) {
    List<String> cells = begin(figures);
    cells.add(figures.engine().label());
    cells.add(
        ratio(figures.readsPerSecond(), none.map(PhaseFigures::readsPerSecond).orElse(Double.NaN)));
    for (String percentile : LoadResult.PERCENTILES) {
      cells.add(
          ratio(
              figures.microsAt(percentile),
              none.map(those -> those.microsAt(percentile)).orElse(Double.NaN)));
    }
    cells.add(Figures.micros(figures.servedP99Micros()));
    cells.add(Figures.percent(figures.hitRatio()));
    cells.add(Figures.bytes(figures.writtenBytes()));
    cells.add(Figures.bytes(figures.heapBytes()));
    cells.add(figures.collectionMillis() + " ms");
    return line(cells);
  }

  private static String row(EnginePair pair) {
    List<String> cells = begin(pair.nvcache());
    cells.add(pair.nvcache().engine().label() + " ÷ " + pair.bucketCache().engine().label());
    cells.add(ratio(pair.readsPerSecond(), 1));
    for (String percentile : LoadResult.PERCENTILES) {
      cells.add(ratio(pair.micros(percentile), 1));
    }
    cells.add(ratio(pair.servedP99(), 1));
    cells.add(ratio(pair.hits(), 1));
    cells.add(ratio(pair.writtenBytes(), 1));
    return line(cells);
  }

  private static List<String> begin(PhaseFigures figures) {
    return new ArrayList<>(List.of(figures.load().label(), figures.phase().label()));
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String ratio(double value, double toNone) {
    double ratio = value / toNone;
    return Double.isFinite(ratio) ? Figures.decimal(ratio) : Figures.UNKNOWN;
  }
}
