// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.load.Workload;
import io.nvcache.model.tier.ModelSystem;
import java.util.ArrayList;
import java.util.List;

/** Collects the rows of one figure. A view of a list adds rows with the view's labels. */
final class RowList {
  private final String figure;
  private final int scale;
  private final String system;
  private final String workload;
  private final List<Row> rows;

  RowList(String figure, int scale) {
    this(figure, scale, "", "", new ArrayList<>());
  }

  private RowList(String figure, int scale, String system, String workload, List<Row> rows) {
    this.figure = figure;
    this.scale = scale;
    this.system = system;
    this.workload = workload;
    this.rows = rows;
  }

  /** The same list for rows whose runs have another scale. */
  RowList at(int otherScale) {
    return new RowList(figure, otherScale, system, workload, rows);
  }

  /** The same list for findings of a system under a load. */
  RowList of(String ofSystem, String underLoad) {
    return new RowList(figure, scale, ofSystem, underLoad, rows);
  }

  RowList of(ModelSystem ofSystem, Workload load) {
    return of(ofSystem.name(), load.name());
  }

  /** The same list for findings of the paper's cache under a load. */
  RowList ofPaper(Workload load) {
    return of("paper", load.name());
  }

  /** Adds a row with a bar. */
  RowList gate(String row, String unit, double paper, Bar bar, double model) {
    rows.add(new Row(figure, row, system, workload, scale, unit, paper, bar, model));
    return this;
  }

  /** Adds a row with a bar, for which the paper has no number. */
  RowList gate(String row, String unit, Bar bar, double model) {
    return gate(row, unit, Double.NaN, bar, model);
  }

  /** Adds a row that is only shown. */
  RowList show(String row, String unit, double paper, double model) {
    return gate(row, unit, paper, Bar.NONE, model);
  }

  /** Adds a row that is only shown, for which the paper has no number. */
  RowList show(String row, String unit, double model) {
    return show(row, unit, Double.NaN, model);
  }

  List<Row> list() {
    return List.copyOf(rows);
  }
}
