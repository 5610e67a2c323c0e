// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.report.JsonRecords;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measurements for a terminal: a line for each cell of each cache, and then all other figures. */
final class ComparisonTable {
  private static final TableView CELLS =
      cells(
          "_ratio_to_raw",
          TableView.by(
                  "impl",
                  "op",
                  "jdk",
                  "hugePages",
                  "blockBytes",
                  "buffer",
                  "dist",
                  "threads",
                  "entries")
              .headed(
                  "cache",
                  "operation",
                  "JDK",
                  "pages",
                  "block",
                  "buffer",
                  "keys",
                  "threads",
                  "entries"));

  private static final TableView CHAINS =
      cells(
          "_ratio_to_dram_read",
          TableView.by("impl", "op", "jdk", "hugePages", "entries")
              .headed("cache", "operation", "JDK", "pages", "entries"));

  private static final List<String> OTHERS =
      List.of("cache", "figure", "JDK", "pages", "entries", "of", "value", "unit");

  private ComparisonTable() {}

  /** Returns the tables that have rows. */
  static List<ResultTable> of(Measurements measured) {
    Measurements ofCells = measured.matching(ComparisonTable::isOfCell);
    List<ResultTable> tables = new ArrayList<>(CELLS.of("Cells", ofCells, Map.of()));
    Measurements ofChains = ofCells.matching(record -> !record.labels().containsKey("buffer"));
    tables.addAll(CHAINS.of("Chains of lookups", ofChains, Map.of()));
    List<List<String>> others =
        measured.records().stream()
            .filter(record -> !isOfCell(record))
            .map(ComparisonTable::row)
            .toList();
    if (!others.isEmpty()) {
      tables.add(new ResultTable("Other figures", OTHERS, others));
    }
    return tables;
  }

  private static TableView cells(String ratio, TableView view) {
    return view.column("ratio", own -> number(own, op(own) + ratio, "%.2f"))
        .column("quartiles", own -> quartiles(own, op(own) + ratio))
        .column("wall", own -> number(own, op(own) + "_wall_ratio_to_raw", "%.2f"))
        .column("raw/raw", own -> quartiles(own, "raw_self_ratio"))
        .column("ns", own -> number(own, op(own) + "_cpu_nanos", "%.0f"))
        .column("raw ns", own -> number(own, "raw_cpu_nanos", "%.0f"))
        .column("B/op", own -> number(own, "alloc_bytes_per_op", "%.1f"))
        .column("found", ComparisonTable::found);
  }

  private static boolean isOfCell(JsonRecords.Entry record) {
    return record.labels().containsKey("op")
        && !record.labels().containsKey("percentile")
        && !record.labels().containsKey("load")
        && !record.labels().containsKey("sample")
        && !record.metric().startsWith("insert_without_copy");
  }

  private static List<String> row(JsonRecords.Entry record) {
    return List.of(
        label(record, "impl"),
        record.metric(),
        label(record, "jdk"),
        label(record, "hugePages"),
        label(record, "entries"),
        label(record, "percentile") + label(record, "load") + label(record, "sample"),
        String.format(Locale.ROOT, "%.3f", record.value()),
        record.unit());
  }

  private static String label(JsonRecords.Entry record, String name) {
    return record.labels().getOrDefault(name, "");
  }

  private static String op(Measurements own) {
    return own.values("op").get(0);
  }

  /** For hits the share of blocks found, for writes the share of the blocks that stayed. */
  private static String found(Measurements own) {
    return own.records().stream()
        .filter(record -> record.metric().matches("found_ratio|.*_retained_ratio"))
        .map(record -> String.format(Locale.ROOT, "%.0f%%", 100 * record.value()))
        .findFirst()
        .orElse("");
  }

  private static String quartiles(Measurements own, String metric) {
    return number(own, metric + "_q1", "%.2f") + "-" + number(own, metric + "_q3", "%.2f");
  }

  private static String number(Measurements own, String metric, String format) {
    double value = own.value(metric);
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
  }
}
