// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.Measurements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    Duration delay = settings.servers().delay();
    long memory = settings.servers().memoryBytes();
    Measurements run =
        new Measurements().with("threads", settings.threads()).with("delay", delay.toMillis());
    Measurements limited = memory > 0 ? run.with("memory", memory) : run;
    for (PhaseFigures figures : all) {
      Measurements out =
          limited
              .with("engine", figures.engine().label())
              .with("load", figures.load().label())
              .with("phase", figures.phase().label());
      add(figures, out);
      EnginePair.of(figures, all).ifPresent(pair -> add(pair, out));
    }
    return run.records();
  }

  private static void add(PhaseFigures figures, Measurements out) {
    out.add("reads_per_s", figures.readsPerSecond(), "1/s");
    Measurements read = out.with("operation", "read");
    figures
        .micros()
        .forEach((at, micros) -> read.with("percentile", at).add("latency", micros, "us"));
    out.add("served_p99_us", figures.servedP99Micros(), "us")
        .add("hit_ratio", figures.hitRatio(), "ratio")
        .add("medium_bytes_written", figures.writtenBytes(), "bytes")
        .add("heap_bytes", figures.heapBytes(), "bytes")
        .add("gc_ms", figures.collectionMillis(), "ms");
  }

  private static void add(EnginePair pair, Measurements out) {
    out.add("reads_ratio_to_bucket", pair.readsPerSecond(), "ratio")
        .add("served_p99_ratio_to_bucket", pair.servedP99(), "ratio")
        .add("hits_ratio_to_bucket", pair.hits(), "ratio")
        .add("written_ratio_to_bucket", pair.writtenBytes(), "ratio");
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
