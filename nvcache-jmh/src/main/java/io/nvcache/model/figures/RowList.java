// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import java.util.ArrayList;
import java.util.List;

/** Collects the rows of one figure. */
final class RowList {
  private final String figure;
  private final List<Row> rows = new ArrayList<>();

  RowList(String figure) {
    this.figure = figure;
  }

  /** A row held to a bar. */
  RowList gate(
      String row,
      String system,
      String workload,
      String unit,
      double paper,
      Bar bar,
      double model) {
    rows.add(new Row(figure, row, system, workload, unit, paper, bar, model));
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
