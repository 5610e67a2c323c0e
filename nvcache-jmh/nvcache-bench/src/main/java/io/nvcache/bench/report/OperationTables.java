// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import static io.nvcache.bench.report.RatioTable.number;
import static io.nvcache.bench.report.RatioTable.withQuartiles;

import io.nvcache.report.Figures;
import io.nvcache.report.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The tables of single operations: a row for each cache. */
final class OperationTables {
  /** The lengths of blocks that are shown, in bytes, and the one that has more cells. */
  static final List<String> LENGTHS = List.of("4096", "16384", "65536");

  static final String BROAD = "16384";

  /** Those that NVCache copies in streams. */
  private static final List<String> IN_STREAMS = List.of("16384", "65536");

  private static final List<String> PERCENTILES = List.of("50", "99", "99.9", "99.99", "100");

  private final RecordSet records;

  /** Of records that differ neither in JDK nor in pages. */
  OperationTables(RecordSet records) {
    this.records = records;
  }

  RecordSet cell(String operation, String buffer, String dist, String threads) {
    return records
        .where("op", operation)
        .where("buffer", buffer)
        .where("dist", dist)
        .where("threads", threads);
  }

  private static Map<String, String> labels(
      String bytes, String buffer, String dist, String threads) {
    return Map.of("blockBytes", bytes, "buffer", buffer, "dist", dist, "threads", threads);
  }

  static String length(String bytes) {
    return Figures.bytes(Long.parseLong(bytes));
  }

  String hitCopy() {
    RatioTable table = new RatioTable(records, "hit_copy");
    LENGTHS.forEach(bytes -> table.ratio(length(bytes), labels(bytes, "heap", "uniform", "1")));
    Map<String, String> usual = labels(BROAD, "heap", "uniform", "1");
    return table
        .ratio("16 KiB, direct buffer", labels(BROAD, "direct", "uniform", "1"))
        .ratio("16 KiB, zipfian", labels(BROAD, "heap", "zipfian", "1"))
        .ratio("16 KiB, 2 threads", labels(BROAD, "heap", "uniform", "2"))
        .figure("B/op", "alloc_bytes_per_op", "%.0f", usual)
        .toString();
  }

  String hitTouch() {
    RatioTable table = new RatioTable(records, "hit_touch");
    LENGTHS.forEach(bytes -> table.ratio(length(bytes), labels(bytes, "heap", "uniform", "1")));
    Map<String, String> usual = labels(BROAD, "heap", "uniform", "1");
    return table
        .ratio("16 KiB, 2 threads", labels(BROAD, "heap", "uniform", "2"))
        .figure("ns", "hit_touch_cpu_nanos", "%.0f", usual)
        .figure("bare touch, ns", "raw_cpu_nanos", "%.0f", usual)
        .figure("B/op", "alloc_bytes_per_op", "%.0f", usual)
        .toString();
  }

  /** Of blocks of a known file, and of a file without any block. */
  String miss(String operation) {
    Map<String, String> usual = labels(BROAD, "heap", "uniform", "1");
    return new RatioTable(records, operation)
        .ratio("÷ bare touch", usual)
        .figure("ns", operation + "_cpu_nanos", "%.0f", usual)
        .figure("B/op", "alloc_bytes_per_op", "%.0f", usual)
        .toString();
  }

  /** What the order in which NVCache copies is worth, without a cache. */
  String streams() {
    List<String> header = new ArrayList<>(List.of("in streams ÷ in one pass"));
    IN_STREAMS.forEach(bytes -> header.add(length(bytes)));
    MarkdownTable table = new MarkdownTable(header);
    for (String operation : List.of("hit_copy", "insert")) {
      RecordSet own = records.where("op", operation);
      List<String> row = new ArrayList<>(List.of(operation.equals("insert") ? "write" : "copy"));
      IN_STREAMS.forEach(
          bytes ->
              row.add(withQuartiles(own.where("blockBytes", bytes), "raw_streams_ratio_to_raw")));
      table.add(row);
    }
    return table.toString();
  }

  String insert() {
    return written("insert", "insert_retained_ratio", true);
  }

  String replace() {
    return written("replace", "replace_retained_ratio", false);
  }

  private String written(String operation, String retained, boolean byTwo) {
    RatioTable table = new RatioTable(records, operation);
    LENGTHS.forEach(bytes -> table.ratio(length(bytes), labels(bytes, "direct", "uniform", "1")));
    if (byTwo) {
      table.ratio("16 KiB, 2 threads", labels(BROAD, "direct", "uniform", "2"));
    }
    Map<String, String> usual = labels(BROAD, "direct", "uniform", "1");
    return table
        .figure("wall", operation + "_wall_ratio_to_raw", "%.2f", usual)
        .figure("other threads, ns", "background_cpu_nanos", "%.0f", usual)
        .figure("B/op", "alloc_bytes_per_op", "%.0f", usual)
        .figure("still there", retained, "%.3f", usual)
        .toString();
  }

  String insertLatency() {
    List<String> header = new ArrayList<>(List.of("cache"));
    PERCENTILES.forEach(p -> header.add(p.equals("100") ? "longest" : "p" + p));
    header.add("bare write, p99.99");
    MarkdownTable table = new MarkdownTable(header);
    for (String impl : records.ofMetric("insert_latency").values("impl")) {
      RecordSet own = records.where("impl", impl);
      List<String> row = new ArrayList<>(List.of(impl));
      PERCENTILES.forEach(
          p -> row.add(number(own.where("percentile", p).first("insert_latency"), "%.1f")));
      row.add(number(own.where("percentile", "99.99").first("raw_write_latency"), "%.1f"));
      table.add(row);
    }
    RecordSet nvcache = records.where("impl", "nvcache");
    return table
        + "\n\nWithout the copy, an insert of NVCache takes "
        + withQuartiles(nvcache, "insert_without_copy_ratio_to_raw")
        + " of the bare write: "
        + number(nvcache.first("insert_without_copy_cpu_nanos"), "%.0f")
        + " ns for admission, space, index and eviction.";
  }

  String hot() {
    RecordSet hits = cell("hit_copy", "heap", "hot", "2").where("blockBytes", BROAD);
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "cache",
                "÷ bare copy, 2 threads",
                "together ÷ alone",
                "bare copy, together ÷ alone"));
    for (String impl : hits.values("impl")) {
      RecordSet own = hits.where("impl", impl);
      table.add(
          List.of(
              impl,
              withQuartiles(own, "hit_copy_ratio_to_raw"),
              withQuartiles(own, "together_ratio_to_alone"),
              withQuartiles(own, "raw_together_ratio_to_alone")));
    }
    return table.toString();
  }
}
