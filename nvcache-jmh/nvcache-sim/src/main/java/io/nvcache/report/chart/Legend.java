// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import java.util.ArrayList;
import java.util.List;

/** Names the series below a picture, in as many rows as they need. For one thread. */
final class Legend {
  static final double ROW = 20;
  private static final double KEY = 34;
  private static final double GAP = 18;

  /** How the key of a series is drawn. */
  enum Key {
    LINE,
    POINT,
    /** A ring: may have any of the shapes. */
    HOLLOW
  }

  private record Entry(String name, SeriesStyle style, Key key) {
    double width() {
      return KEY + TextSize.width(name, TextSize.PLAIN);
    }
  }

  private final double width;
  private final List<List<Entry>> rows = new ArrayList<>();

  /** Starts a legend that takes a number of pixels at most from left to right. */
  Legend(double width) {
    this.width = width;
  }

  void add(String name, SeriesStyle style, Key key) {
    Entry entry = new Entry(TextSize.cut(name, TextSize.PLAIN, width - KEY - GAP), style, key);
    if (rows.isEmpty() || width(rows.get(rows.size() - 1)) + entry.width() + GAP > width) {
      rows.add(new ArrayList<>());
    }
    rows.get(rows.size() - 1).add(entry);
  }

  private static double width(List<Entry> row) {
    return row.stream().mapToDouble(entry -> entry.width() + GAP).sum();
  }

  double height() {
    return ROW * rows.size();
  }

  /** Draws the rows from a top edge on, each in the middle. */
  void draw(Svg svg, double left, double top) {
    double y = top + ROW / 2;
    for (List<Entry> row : rows) {
      double x = left + (width - width(row) + GAP) / 2;
      for (Entry entry : row) {
        key(svg, entry, x, y);
        svg.text(x + KEY - 4, y + 4, Svg.Anchor.START, TextSize.PLAIN, entry.name);
        x += entry.width() + GAP;
      }
      y += ROW;
    }
  }

  private static void key(Svg svg, Entry entry, double x, double y) {
    double middle = x + KEY / 2 - 4;
    switch (entry.key) {
      case LINE -> {
        svg.polyline(
            Svg.number(x) + ',' + Svg.number(y) + ' ' + Svg.number(x + 26) + ',' + Svg.number(y),
            entry.style);
        svg.marker(middle, y, 4, entry.style);
      }
      case POINT -> svg.marker(middle + 5, y, 4.5, entry.style);
      case HOLLOW -> svg.ring(middle + 5, y, 5.5, entry.style);
    }
  }
}
