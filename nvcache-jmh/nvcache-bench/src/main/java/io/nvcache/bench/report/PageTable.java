// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import io.nvcache.report.Figures;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A table of the page: a row for each value of a label, and columns that say what they show of the
 * records with that value.
 */
final class PageTable {
  /** A cache that turns away what it is given is quick at that, and never called the best. */
  private static final double LEAST_RETAINED = 0.5;

  private final RecordSet records;
  private final String label;
  private final Function<String, String> title;
  private final List<String> header = new ArrayList<>();
  private final List<Function<RecordSet, String>> columns = new ArrayList<>();

  /** Makes a table of caches. */
  static PageTable ofCaches(RecordSet records) {
    return new PageTable(records, "impl", "cache", name -> name);
  }

  /** Makes a table of numbers of entries. */
  static PageTable ofEntries(RecordSet records) {
    return new PageTable(records, "entries", "entries", n -> Figures.count(Long.parseLong(n)));
  }

  /**
   * Makes a table without columns.
   *
   * @param label of the rows
   * @param title what a row begins with, by the value of its label
   */
  PageTable(RecordSet records, String label, String header, Function<String, String> title) {
    this.records = records;
    this.label = label;
    this.title = title;
    this.header.add(header);
  }

  /** Adds a column. */
  PageTable column(String name, Function<RecordSet, String> cell) {
    header.add(name);
    columns.add(cell);
    return this;
  }

  /** Adds a column of medians with their quartiles. */
  PageTable quartiles(String name, String metric) {
    return column(name, own -> withQuartiles(own, metric));
  }

  /** Adds a column of some figure of the records with these labels. */
  PageTable figure(String name, String metric, String format, Map<String, String> having) {
    return column(name, own -> number(own.where(having).first(metric), format));
  }

  /** Adds a column of some figure. */
  PageTable figure(String name, String metric, String format) {
    return figure(name, metric, format, Map.of());
  }

  /** Adds a column of an operation's ratios in the cell with these labels, the least in bold. */
  PageTable ratios(String name, String operation, Map<String, String> having) {
    String metric = operation + "_ratio_to_raw";
    double least =
        best(records.where(having), operation).stream()
            .mapToDouble(JsonRecords.Entry::value)
            .min()
            .orElse(0);
    return column(
        name,
        ofCache -> {
          RecordSet own = ofCache.where(having);
          String text = withQuartiles(own, metric);
          return own.first(metric).orElse(-1) == least ? "**" + text + "**" : text;
        });
  }

  /** Returns the ratios of those caches in a cell that kept enough of what was written. */
  static List<JsonRecords.Entry> best(RecordSet cell, String operation) {
    return cell.ofMetrics(operation + "_ratio_to_raw").entries().stream()
        .filter(
            entry ->
                cell.where("impl", entry.labels().getOrDefault("impl", ""))
                        .first(operation + "_retained_ratio")
                        .orElse(1)
                    >= LEAST_RETAINED)
        .toList();
  }

  @Override
  public String toString() {
    MarkdownTable table = new MarkdownTable(header);
    for (String value : records.values(label)) {
      RecordSet own = records.where(label, value);
      List<String> row = new ArrayList<>(List.of(title.apply(value)));
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
        : "%s (%s–%s)"
            .formatted(
                number(median, format),
                number(cell.first(metric + "_q1"), format),
                number(cell.first(metric + "_q3"), format));
  }

  static String number(OptionalDouble value, String format) {
    return value.isEmpty()
        ? MarkdownTable.NOTHING
        : String.format(Locale.ROOT, format, value.getAsDouble());
  }
}
