// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import io.nvcache.report.Figures;
import io.nvcache.report.MarkdownTable;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The comparison of second levels below a server of HBase, as tables. */
public final class ClientsReport {
  /** What the two tables show. */
  public static final String LEGEND =
      "Reads/s and latencies ÷ those without a second level. In the second table, NVCache ÷ the"
          + " BucketCache on the same kind of medium.";

  private ClientsReport() {}

  /** Adds NVCache's figures ÷ those of the BucketCache on the same kind of medium. */
  static void addRatios(Measurements measured) {
    for (ClientsEngine engine : ClientsEngine.values()) {
      Measurements ours = measured.where("engine", engine.label());
      Measurements theirs = measured.where("engine", engine.peer());
      measured
          .with("engine", engine.label())
          .add("reads_ratio_to_bucket", ratio("reads_per_s", ours, theirs), "ratio")
          .add("hits_ratio_to_bucket", ratio("hit_ratio", ours, theirs), "ratio")
          .add("written_ratio_to_bucket", ratio("medium_bytes_written", ours, theirs), "ratio");
    }
  }

  private static double ratio(String metric, Measurements ours, Measurements theirs) {
    return ours.value(metric) / theirs.value(metric);
  }

  /** Returns the tables in Markdown, the second one where there is a pair to compare. */
  public static String tables(Measurements measured) {
    String below =
        ratiosTo(measured.where("engine", ClientsEngine.NONE.label()))
            .column("hits", "hit_ratio", Figures::percent)
            .column("written", "medium_bytes_written", Figures::bytes)
            .column("heap", "heap_bytes", Figures::bytes)
            .column("GC", "gc_ms", millis -> Figures.count(millis) + " ms")
            .markdown(measured);
    List<ResultTable> pairs = new ArrayList<>();
    for (ClientsEngine engine : ClientsEngine.values()) {
      if (measured.values("engine").contains(engine.peer())) {
        pairs.addAll(
            ratiosTo(measured.where("engine", engine.peer()))
                .column("hits", "hits_ratio_to_bucket", Figures::decimal)
                .column("written", "written_ratio_to_bucket", Figures::decimal)
                .of("", measured, Map.of("engine", engine.label())));
      }
    }
    return below + (pairs.isEmpty() ? "" : "\n\n" + markdown(pairs));
  }

  /** Returns a view of the rate and the latencies ÷ those of a peer. */
  private static TableView ratiosTo(Measurements peer) {
    TableView view =
        TableView.by("engine")
            .headed("below")
            .column("reads/s", "reads_per_s", here -> toPeer(here, peer.value("reads_per_s")));
    for (String percentile : LoadResult.PERCENTILES) {
      Map<String, String> at = Map.of("percentile", percentile);
      view =
          view.column(
              "p" + percentile, "latency", at, here -> toPeer(here, peer.value("latency", at)));
    }
    return view;
  }

  private static String toPeer(double value, double peers) {
    return Figures.decimal(value / peers);
  }

  private static String markdown(List<ResultTable> parts) {
    return MarkdownTable.of(
        new ResultTable(
            "",
            parts.get(0).header(),
            parts.stream().flatMap(part -> part.rows().stream()).toList()));
  }
}
