// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import java.util.List;

/**
 * A figure or table of a paper, or our own.
 *
 * @param id its name on the command line
 * @param title what it shows
 * @param note what a reader has to know; may be empty
 * @param findings all of its rows
 * @param smoke the few rows that tell in seconds whether all is well; may be none
 */
record Figure(String id, String title, String note, Findings findings, Findings smoke) {
  /** Adds rows. Must ask for the same runs whatever their results are. */
  @FunctionalInterface
  interface Findings {
    void add(Runs runs, RowList rows);
  }

  /** A figure without rows that are quick. */
  Figure(String id, String title, String note, Findings findings) {
    this(id, title, note, findings, (runs, rows) -> {});
  }

  /** Returns its rows. */
  List<Row> rows(Runs runs) {
    return rows(findings, runs);
  }

  /** Returns the quick ones. */
  List<Row> smokeRows(Runs runs) {
    return rows(smoke, runs);
  }

  private List<Row> rows(Findings some, Runs runs) {
    RowList rows = new RowList(id, runs.scale());
    some.add(runs, rows);
    return rows.list();
  }
}
