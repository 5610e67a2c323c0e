// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import java.util.List;

/** A figure or table of a paper, or our own. */
interface Figure {
  /** Its name on the command line. */
  String id();

  /** What it shows. */
  String title();

  /** What a reader has to know. */
  default String note() {
    return "";
  }

  /** Its rows. Must ask for the same runs whatever their results are. */
  List<Row> rows(Runs runs);

  /** The few rows that tell in seconds whether all is well; none by default. */
  default List<Row> smokeRows(Runs runs) {
    return List.of();
  }
}
