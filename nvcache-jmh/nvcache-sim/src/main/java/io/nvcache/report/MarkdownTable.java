// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import java.util.ArrayList;
import java.util.List;

/** A table of text; rows without any figure and tables without rows are left out. */
public final class MarkdownTable {
  /** The cell without a figure. */
  public static final String NOTHING = "–";

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Begins a table.
   *
   * @param header names of the columns
   */
  public MarkdownTable(List<String> header) {
    this.header = header;
  }

  /** Returns a table without its title. */
  public static String of(ResultTable table) {
    MarkdownTable text = new MarkdownTable(table.header());
    table.rows().forEach(text::add);
    return text.toString();
  }

  /** Adds a row, the first cell of which is its title. */
  public void add(List<String> row) {
    if (row.stream().skip(1).anyMatch(cell -> !cell.equals(NOTHING))) {
      rows.add(row);
    }
  }

  @Override
  public String toString() {
    if (rows.isEmpty()) {
      return "Not measured in this run.";
    }
    StringBuilder text = new StringBuilder(line(header));
    text.append("|---|").append("--:|".repeat(header.size() - 1)).append('\n');
    rows.forEach(row -> text.append(line(row)));
    return text.toString().stripTrailing();
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }
}
