// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A table of measurements: a row for each combination of labels, a column for each metric. */
public final class TableView {
  private record Column(
      String header,
      Function<Measurements, List<Map<String, String>>> keys,
      Function<Measurements, String> cell) {}

  private final List<String> labels;
  private final List<String> labelHeaders;
  private final UnaryOperator<String> title;
  private final List<Column> columns;

  private TableView(
      List<String> labels,
      List<String> labelHeaders,
      UnaryOperator<String> title,
      List<Column> columns) {
    this.labels = labels;
    this.labelHeaders = labelHeaders;
    this.title = title;
    this.columns = columns;
  }

  /** Returns a view without columns, whose rows begin with the values of these labels. */
  public static TableView by(String... labels) {
    return new TableView(List.of(labels), List.of(labels), name -> name, List.of());
  }

  /** Returns the same with other headers of the labels. */
  public TableView headed(String... headers) {
    return new TableView(labels, List.of(headers), title, columns);
  }

  /** Returns the same that shows the values of the first label otherwise. */
  public TableView titled(UnaryOperator<String> format) {
    return new TableView(labels, labelHeaders, format, columns);
  }

  /** Returns the same with one more column. */
  public TableView column(String header, String metric, DoubleFunction<String> format) {
    return column(header, metric, Map.of(), format);
  }

  /** Returns the same with one more column, of the measurements with these labels as well. */
  public TableView column(
      String header, String metric, Map<String, String> having, DoubleFunction<String> format) {
    return with(
        new Column(
            header,
            from -> from.distinct(metric, having, labels),
            own -> format.apply(own.value(metric, having))));
  }

  /** Returns the same with one more column, in some format. */
  public TableView figure(String header, String metric, String format) {
    return figure(header, metric, format, Map.of());
  }

  /** Returns the same with one more column, of the measurements with these labels as well. */
  public TableView figure(String header, String metric, String format, Map<String, String> having) {
    return column(header, metric, having, value -> Figures.number(value, format));
  }

  /** Returns the same with one more column, of what a row has measured. */
  public TableView column(String header, Function<Measurements, String> cell) {
    return with(new Column(header, from -> from.distinct(labels), cell));
  }

  private TableView with(Column more) {
    return new TableView(
        labels, labelHeaders, title, Stream.concat(columns.stream(), Stream.of(more)).toList());
  }

  /** Returns the table of the measurements with some labels; none if there are no such. */
  public List<ResultTable> of(String name, Measurements all, Map<String, String> having) {
    Measurements from = all.where(having);
    Set<Map<String, String>> keys = new LinkedHashSet<>();
    columns.forEach(column -> keys.addAll(column.keys().apply(from)));
    if (keys.isEmpty()) {
      return List.of();
    }
    List<List<String>> rows = new ArrayList<>();
    for (Map<String, String> key : keys) {
      Measurements own = from.where(key);
      List<String> row = new ArrayList<>(key.values());
      row.set(0, title.apply(row.get(0)));
      columns.forEach(column -> row.add(column.cell().apply(own)));
      rows.add(row);
    }
    List<String> header = new ArrayList<>(labelHeaders);
    columns.forEach(column -> header.add(column.header()));
    return List.of(new ResultTable(name, header, rows));
  }

  /** Returns the table in Markdown, without rows that have no figure. */
  public String markdown(Measurements from) {
    return of("", from, Map.of()).stream()
        .findFirst()
        .map(MarkdownTable::of)
        .orElse(MarkdownTable.of(new ResultTable("", List.of(), List.of())));
  }
}
