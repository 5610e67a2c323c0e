// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.report.JsonRecords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The records as a table: one line for each cell of each cache. */
final class ComparisonTable {
  private static final List<String> HEADER =
      List.of(
          "cache",
          "operation",
          "block",
          "buffer",
          "keys",
          "threads",
          "ratio",
          "quartiles",
          "wall",
          "raw/raw",
          "ns",
          "B/op",
          "found");

  private final Map<Map<String, String>, Map<String, Double>> lines = new LinkedHashMap<>();
  private final Map<String, String> memory = new LinkedHashMap<>();

  void add(JsonRecords.Entry record) {
    if (!record.labels().containsKey("op")) {
      if (record.metric().equals("dram_bytes_per_block")) {
        memory.put(record.labels().get("impl"), String.format(Locale.ROOT, "%.1f", record.value()));
      }
      return;
    }
    lines
        .computeIfAbsent(new TreeMap<>(record.labels()), labels -> new TreeMap<>())
        .put(record.metric(), record.value());
  }

  @Override
  public String toString() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADER);
    lines.forEach((labels, values) -> rows.add(row(labels, values)));
    StringBuilder text = new StringBuilder(aligned(rows));
    if (!memory.isEmpty()) {
      text.append(System.lineSeparator()).append("DRAM beyond the blocks, bytes per block:");
      memory.forEach((impl, bytes) -> text.append(' ').append(impl).append(' ').append(bytes));
      text.append(System.lineSeparator());
    }
    return text.toString();
  }

  private static List<String> row(Map<String, String> labels, Map<String, Double> values) {
    String op = labels.getOrDefault("op", "");
    String ratio = op + (op.endsWith("lookup") ? "_ratio_to_dram_read" : "_ratio_to_raw");
    return List.of(
        labels.getOrDefault("impl", ""),
        op,
        labels.getOrDefault("blockBytes", ""),
        labels.getOrDefault("buffer", ""),
        labels.getOrDefault("dist", ""),
        labels.getOrDefault("threads", ""),
        number(values, ratio, "%.2f"),
        number(values, ratio + "_q1", "%.2f") + "-" + number(values, ratio + "_q3", "%.2f"),
        number(values, op + "_wall_ratio_to_raw", "%.2f"),
        number(values, "raw_self_ratio_q1", "%.2f")
            + "-"
            + number(values, "raw_self_ratio_q3", "%.2f"),
        number(values, op + "_cpu_nanos", "%.0f"),
        number(values, "alloc_bytes_per_op", "%.1f"),
        found(values));
  }

  /** For hits the share of blocks found, for inserts the share of the newest that stayed. */
  private static String found(Map<String, Double> values) {
    Double share = values.getOrDefault("found_ratio", values.get("insert_retained_ratio"));
    return share == null ? "" : String.format(Locale.ROOT, "%.0f%%", 100 * share);
  }

  private static String number(Map<String, Double> values, String metric, String format) {
    Double value = values.get(metric);
    return value == null ? "" : String.format(Locale.ROOT, format, value);
  }

  private static String aligned(List<List<String>> rows) {
    int[] widths = new int[HEADER.size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        String padding = " ".repeat(widths[column] - row.get(column).length());
        line.append(column < 2 ? row.get(column) + padding : padding + row.get(column));
        line.append("  ");
      }
      text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }
}
