// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import io.nvcache.report.JsonRecords;
import io.nvcache.report.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Ratios of all caches in the cells of one operation, with their quartiles, the limit against
 * itself in the first row, and the least of each column in bold, of those that kept half of what
 * was written.
 */
final class RatioTable {
  private static final double LEAST_RETAINED = 0.5;

  private final RecordSet records;
  private final String metric;

  /** The share of what was written that is still there; of operations that write. */
  private final String retained;

  private final List<String> header = new ArrayList<>(List.of("cache"));
  private final List<Function<RecordSet, String>> columns = new ArrayList<>();

  RatioTable(RecordSet records, String operation) {
    this.records = records.where("op", operation);
    this.metric = operation + "_ratio_to_raw";
    this.retained = operation + "_retained_ratio";
  }

  /** A column of ratios of the cell with these labels. */
  RatioTable ratio(String title, Map<String, String> labels) {
    RecordSet cell = records.where(labels);
    double least =
        cell.ofMetric(metric).entries().stream()
            .filter(
                entry -> keepsEnough(cell.where("impl", entry.labels().getOrDefault("impl", ""))))
            .mapToDouble(JsonRecords.Entry::value)
            .min()
            .orElse(0);
    header.add(title);
    columns.add(
        ofCache -> {
          RecordSet own = ofCache.where(labels);
          String text = withQuartiles(own, metric);
          OptionalDouble value = own.first(metric);
          return value.isPresent() && value.getAsDouble() == least ? "**" + text + "**" : text;
        });
    return this;
  }

  private boolean keepsEnough(RecordSet cell) {
    return keptEnough(cell.first(retained));
  }

  /** A cache that turns away what it is given is quick at that. Where nothing is written: true. */
  static boolean keptEnough(OptionalDouble retainedRatio) {
    return retainedRatio.orElse(1) >= LEAST_RETAINED;
  }

  /** A column of some other figure of the cell with these labels. */
  RatioTable figure(String title, String figure, String format, Map<String, String> labels) {
    header.add(title);
    columns.add(ofCache -> number(ofCache.where(labels).first(figure), format));
    return this;
  }

  @Override
  public String toString() {
    MarkdownTable table = new MarkdownTable(header);
    for (String impl : records.values("impl")) {
      RecordSet own = records.where("impl", impl);
      List<String> row = new ArrayList<>(List.of(impl));
      columns.forEach(column -> row.add(column.apply(own)));
      table.add(row);
    }
    return table.toString();
  }

  /** Median and quartiles, as in {@code 1.12 (1.10–1.14)}. */
  static String withQuartiles(RecordSet cell, String metric) {
    return withQuartiles(cell, metric, "%.2f");
  }

  static String withQuartiles(RecordSet cell, String metric, String format) {
    OptionalDouble median = cell.first(metric);
    return median.isEmpty()
        ? MarkdownTable.NOTHING
        : number(median, format)
            + " ("
            + number(cell.first(metric + "_q1"), format)
            + "–"
            + number(cell.first(metric + "_q3"), format)
            + ")";
  }

  static String number(OptionalDouble value, String format) {
    return value.isEmpty()
        ? MarkdownTable.NOTHING
        : String.format(Locale.ROOT, format, value.getAsDouble());
  }
}
