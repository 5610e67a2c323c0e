// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.model.figures.FigureResult;
import io.nvcache.model.figures.Row;
import io.nvcache.report.JsonRecords.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The records of the command {@code reproduce}; docs/cli.md lists them. */
public final class ReproductionRecords {
  private ReproductionRecords() {}

  /** All records of the figures. */
  public static List<Entry> of(List<FigureResult> figures) {
    List<Entry> records = new ArrayList<>();
    for (FigureResult figure : figures) {
      for (Row row : figure.rows()) {
        add(figure, row, records);
      }
    }
    return List.copyOf(records);
  }

  private static void add(FigureResult figure, Row row, List<Entry> records) {
    Map<String, String> labels =
        Map.of(
            "figure", row.figure(),
            "row", row.row(),
            "system", row.system(),
            "workload", row.workload(),
            "scale", Integer.toString(figure.scale()),
            "seed", Long.toString(figure.seed()));
    add("paper", labels, row.paper(), row.unit(), records);
    add("model", labels, row.model(), row.unit(), records);
    if (row.isGated()) {
      add("bar_low", labels, row.bar().low(), row.unit(), records);
      add("bar_high", labels, row.bar().high(), row.unit(), records);
      add("inside", labels, row.isInside() ? 1 : 0, "boolean", records);
    }
  }

  /** What has no number is left out. */
  private static void add(
      String metric, Map<String, String> labels, double value, String unit, List<Entry> records) {
    if (Double.isFinite(value)) {
      records.add(new Entry(metric, labels, value, unit));
    }
  }
}
