// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;

/** Draws result tables for a terminal: the first column to the left, figures to the right. */
public final class TextTable {
  private static final String LINES = "─│┌┬┐├┼┤└┴┘";
  private static final int TEXT_WIDTH = 98;
  private static final String PLAIN_LINES = "-|+++++++++";

  private final String lines;
  private final boolean unicode;

  /**
   * Draws with characters that the charset has.
   *
   * @param charset of the terminal
   */
  public TextTable(Charset charset) {
    unicode = charset.newEncoder().canEncode(LINES + "×µ·–±");
    lines = unicode ? LINES : PLAIN_LINES;
  }

  /** The text with characters that the charset has. */
  public String plain(String text) {
    return unicode
        ? text
        : text.replace('×', 'x')
            .replace("µs", "us")
            .replace('·', '-')
            .replace('–', '-')
            .replace("§", "section ")
            .replace('’', '\'')
            .replace("±", "+-");
  }

  /** Breaks a text into lines and indents all but the first. */
  public static String wrap(String text) {
    StringBuilder lines = new StringBuilder();
    int column = 0;
    for (String word : text.split(" ", -1)) {
      if (column + word.length() > TEXT_WIDTH) {
        lines.append("\n ");
        column = 1;
      }
      lines.append(column == 0 ? "" : " ").append(word);
      column += word.length() + 1;
    }
    return lines.toString();
  }

  /** Returns the table, several lines long. */
  public String draw(ResultTable table) {
    int[] widths = widths(table);
    List<String> drawn = new ArrayList<>();
    drawn.add(table.title());
    drawn.add(rule(widths, 2));
    drawn.add(row(table.header(), widths));
    drawn.add(rule(widths, 5));
    for (List<String> row : table.rows()) {
      drawn.add(row(row, widths));
    }
    drawn.add(rule(widths, 8));
    return plain(String.join("\n", drawn));
  }

  private static int[] widths(ResultTable table) {
    int[] widths = new int[table.header().size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = table.header().get(column).length();
      for (List<String> row : table.rows()) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    return widths;
  }

  private String rule(int[] widths, int corner) {
    StringBuilder rule = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      rule.append(lines.charAt(column == 0 ? corner : corner + 1));
      rule.append(String.valueOf(lines.charAt(0)).repeat(widths[column] + 2));
    }
    return rule.append(lines.charAt(corner + 2)).toString();
  }

  private String row(List<String> cells, int[] widths) {
    StringBuilder row = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String padding = " ".repeat(widths[column] - cells.get(column).length());
      row.append(lines.charAt(1)).append(' ');
      row.append(column == 0 ? cells.get(column) + padding : padding + cells.get(column));
      row.append(' ');
    }
    return row.append(lines.charAt(1)).toString();
  }
}
