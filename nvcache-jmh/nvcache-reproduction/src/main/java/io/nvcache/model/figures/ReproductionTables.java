// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.report.MarkdownTable;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TextTable;
import java.util.List;
import java.util.Locale;

/** A figure's rows: paper, model, bar, verdict. */
public final class ReproductionTables {
  static final List<String> HEADER =
      List.of("finding", "system", "load", "paper", "model", "bar", "verdict");
  private static final double LARGE = 1000;
  private static final double SMALL = 10;

  private ReproductionTables() {}

  /** The table, drawn for a terminal. */
  public static String draw(FigureResult figure, TextTable style) {
    return style.draw(of(figure));
  }

  static ResultTable of(FigureResult figure) {
    return new ResultTable(
        figure.title() + " · scale " + figure.scale() + " · seed " + figure.seed(),
        HEADER,
        figure.rows().stream().map(row -> cells(figure, row)).toList());
  }

  static List<String> cells(FigureResult figure, Row row) {
    return List.of(
        row.row(),
        row.system(),
        row.scale() == figure.scale()
            ? row.workload()
            : row.workload() + " (scale " + row.scale() + ")",
        number(row.paper(), row.unit()),
        number(row.model(), row.unit()),
        bar(row),
        verdict(row));
  }

  static String verdict(Row row) {
    if (!row.isGated()) {
      return "";
    }
    return row.isInside() ? "inside" : "OUTSIDE";
  }

  private static String bar(Row row) {
    Bar bar = row.bar();
    if (!row.isGated()) {
      return "";
    }
    if (row.unit().equals("boolean")) {
      return "yes";
    }
    if (Double.isInfinite(bar.low())) {
      return "≤ " + number(bar.high(), row.unit());
    }
    if (Double.isInfinite(bar.high())) {
      return "≥ " + number(bar.low(), row.unit());
    }
    return number(bar.low(), row.unit()) + " to " + number(bar.high(), row.unit());
  }

  private static String number(double value, String unit) {
    if (Double.isNaN(value)) {
      return MarkdownTable.NOTHING;
    }
    if (unit.equals("boolean")) {
      return value == 1 ? "yes" : "no";
    }
    double size = Math.abs(value);
    String digits = size >= LARGE ? "%,.0f" : size >= SMALL ? "%.1f" : "%.2f";
    String plain = String.format(Locale.ROOT, digits, value);
    return unit.equals("ratio") || unit.equals("writers") ? plain : plain + " " + unit;
  }
}
