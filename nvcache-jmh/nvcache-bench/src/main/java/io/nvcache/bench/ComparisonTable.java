// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.report.JsonRecords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The records for a terminal: a line for each cell of each cache, and then all other figures. */
final class ComparisonTable {
  private static final List<String> HEADER =
      List.of(
          "cache",
          "operation",
          "JDK",
          "pages",
          "block",
          "buffer",
          "keys",
          "threads",
          "entries",
          "ratio",
          "quartiles",
          "wall",
          "raw/raw",
          "ns",
          "raw ns",
          "B/op",
          "found");

  private static final List<String> FIGURES_HEADER =
      List.of("cache", "figure", "JDK", "pages", "entries", "of", "value", "unit");

  private final Map<Map<String, String>, Map<String, Double>> cells = new LinkedHashMap<>();
  private final List<List<String>> figures = new ArrayList<>();

  void add(JsonRecords.Entry record) {
    if (isOfCell(record)) {
      cells
          .computeIfAbsent(new TreeMap<>(record.labels()), labels -> new TreeMap<>())
          .put(record.metric(), record.value());
    } else {
      figures.add(
          List.of(
              label(record, "impl"),
              record.metric(),
              label(record, "jdk"),
              label(record, "hugePages"),
              label(record, "entries"),
              label(record, "percentile") + label(record, "load") + label(record, "sample"),
              String.format(Locale.ROOT, "%.3f", record.value()),
              record.unit()));
    }
  }

  private static boolean isOfCell(JsonRecords.Entry record) {
    return record.labels().containsKey("op")
        && !record.labels().containsKey("percentile")
        && !record.labels().containsKey("load")
        && !record.labels().containsKey("sample")
        && !record.metric().startsWith("insert_without_copy");
  }

  private static String label(JsonRecords.Entry record, String name) {
    return record.labels().getOrDefault(name, "");
  }

  @Override
  public String toString() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADER);
    cells.forEach((labels, values) -> rows.add(row(labels, values)));
    List<List<String>> others = new ArrayList<>();
    others.add(FIGURES_HEADER);
    others.addAll(figures);
    return (rows.size() > 1 ? aligned(rows) : "")
        + (rows.size() > 1 && others.size() > 1 ? System.lineSeparator() : "")
        + (others.size() > 1 ? aligned(others) : "");
  }

  private static List<String> row(Map<String, String> labels, Map<String, Double> values) {
    String op = labels.getOrDefault("op", "");
    String ratio = op + (labels.containsKey("buffer") ? "_ratio_to_raw" : "_ratio_to_dram_read");
    return List.of(
        labels.getOrDefault("impl", ""),
        op,
        labels.getOrDefault("jdk", ""),
        labels.getOrDefault("hugePages", ""),
        labels.getOrDefault("blockBytes", ""),
        labels.getOrDefault("buffer", ""),
        labels.getOrDefault("dist", ""),
        labels.getOrDefault("threads", ""),
        labels.getOrDefault("entries", ""),
        number(values, ratio, "%.2f"),
        number(values, ratio + "_q1", "%.2f") + "-" + number(values, ratio + "_q3", "%.2f"),
        number(values, op + "_wall_ratio_to_raw", "%.2f"),
        number(values, "raw_self_ratio_q1", "%.2f")
            + "-"
            + number(values, "raw_self_ratio_q3", "%.2f"),
        number(values, op + "_cpu_nanos", "%.0f"),
        number(values, "raw_cpu_nanos", "%.0f"),
        number(values, "alloc_bytes_per_op", "%.1f"),
        found(values));
  }

  /** For hits the share of blocks found, for writes the share of the blocks that stayed. */
  private static String found(Map<String, Double> values) {
    return values.entrySet().stream()
        .filter(value -> value.getKey().matches("found_ratio|.*_retained_ratio"))
        .map(value -> String.format(Locale.ROOT, "%.0f%%", 100 * value.getValue()))
        .findFirst()
        .orElse("");
  }

  private static String number(Map<String, Double> values, String metric, String format) {
    Double value = values.get(metric);
    return value == null ? "" : String.format(Locale.ROOT, format, value);
  }

  private static String aligned(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
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
