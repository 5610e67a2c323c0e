// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/** A table of measurements: a row for each combination of labels, a column for each metric. */
public final class TableView {
  private record Column(
      String header, String metric, Map<String, String> labels, DoubleFunction<String> format) {}

  private final List<String> labels;
  private final List<String> labelHeaders;
  private final List<Column> columns;

  private TableView(List<String> labels, List<String> labelHeaders, List<Column> columns) {
    this.labels = labels;
    this.labelHeaders = labelHeaders;
    this.columns = columns;
  }

  /** Returns a view without columns, whose rows begin with the values of these labels. */
  public static TableView by(String... labels) {
    return new TableView(List.of(labels), List.of(labels), List.of());
  }

  /** Returns the same with other headers of the labels. */
  public TableView headed(String... headers) {
    return new TableView(labels, List.of(headers), columns);
  }

  /** Returns the same with one more column. */
  public TableView column(String header, String metric, DoubleFunction<String> format) {
    return column(header, metric, Map.of(), format);
  }

  /** Returns the same with one more column, of the measurements with these labels as well. */
  public TableView column(
      String header, String metric, Map<String, String> having, DoubleFunction<String> format) {
    Column more = new Column(header, metric, having, format);
    return new TableView(
        labels, labelHeaders, Stream.concat(columns.stream(), Stream.of(more)).toList());
  }

  /** Returns the table of the measurements with some labels; none if there are no such. */
  public List<ResultTable> of(String title, Measurements from, Map<String, String> having) {
    Set<Map<String, String>> keys = new LinkedHashSet<>();
    for (Column column : columns) {
      keys.addAll(from.distinct(column.metric(), both(having, column.labels()), labels));
    }
    if (keys.isEmpty()) {
      return List.of();
    }
    List<List<String>> rows = new ArrayList<>();
    for (Map<String, String> key : keys) {
      List<String> row = new ArrayList<>(key.values());
      for (Column column : columns) {
        Map<String, String> all = both(both(having, key), column.labels());
        row.add(column.format().apply(from.value(column.metric(), all)));
      }
      rows.add(row);
    }
    List<String> header = new ArrayList<>(labelHeaders);
    columns.forEach(column -> header.add(column.header()));
    return List.of(new ResultTable(title, header, rows));
  }

  private static Map<String, String> both(Map<String, String> some, Map<String, String> more) {
    Map<String, String> both = new HashMap<>(some);
    both.putAll(more);
    return both;
  }
}
