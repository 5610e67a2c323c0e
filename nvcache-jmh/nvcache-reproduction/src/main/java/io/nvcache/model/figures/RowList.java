// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import java.util.ArrayList;
import java.util.List;

/** Collects the rows of one figure. */
final class RowList {
  private final String figure;
  private final int scale;
  private final List<Row> rows;

  RowList(String figure, int scale) {
    this(figure, scale, new ArrayList<>());
  }

  private RowList(String figure, int scale, List<Row> rows) {
    this.figure = figure;
    this.scale = scale;
    this.rows = rows;
  }

  /** The same list for rows whose runs have another scale. */
  RowList at(int otherScale) {
    return new RowList(figure, otherScale, rows);
  }

  /** A row with a bar. */
  RowList gate(
      String row,
      String system,
      String workload,
      String unit,
      double paper,
      Bar bar,
      double model) {
    rows.add(new Row(figure, row, system, workload, scale, unit, paper, bar, model));
    return this;
  }

  /** A row that is only shown. */
  RowList show(
      String row, String system, String workload, String unit, double paper, double model) {
    return gate(row, system, workload, unit, paper, Bar.NONE, model);
  }

  List<Row> list() {
    return List.copyOf(rows);
  }
}
