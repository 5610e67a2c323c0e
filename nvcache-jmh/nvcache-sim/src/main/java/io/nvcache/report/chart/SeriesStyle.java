// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import java.util.List;

/**
 * How a series looks: a colour, a marker and a dash. The colours are Okabe and Ito's, which the
 * colour-blind tell apart; the marker changes with the colour, so that neither is needed alone.
 *
 * @param color of lines and markers, as SVG writes it
 * @param marker of points
 * @param dash lengths of strokes and gaps in pixels, as SVG writes them; empty for a full line
 */
public record SeriesStyle(String color, Marker marker, String dash) {
  private static final List<String> COLORS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#4b5563");
  private static final List<Marker> MARKERS =
      List.of(Marker.CIRCLE, Marker.SQUARE, Marker.TRIANGLE, Marker.DIAMOND, Marker.TRIANGLE_DOWN);
  private static final List<String> DASHES = List.of("", "7 3", "2 3", "9 3 2 3");

  /** How many series of points one picture can tell apart. */
  static final int MOST_POINTS = COLORS.size() * MARKERS.size();

  /** How many series of lines one picture can tell apart. */
  public static final int MOST = MOST_POINTS * DASHES.size();

  /** Returns the style of a line that others are compared with, such as a target. */
  public static SeriesStyle reference() {
    return new SeriesStyle(Svg.INK, Marker.BAR, "6 4");
  }

  /**
   * Returns the style of a series. Different numbers have different colours and markers, or, from
   * the 36th on, different dashes.
   *
   * @param number from 0 to {@link #MOST} − 1
   * @throws IllegalArgumentException if there is no such style
   */
  public static SeriesStyle of(int number) {
    if (number < 0 || number >= MOST) {
      throw new IllegalArgumentException(
          "series " + number + " has no style; a picture has at most " + MOST + " series");
    }
    return new SeriesStyle(
        COLORS.get(number % COLORS.size()),
        MARKERS.get(number % MARKERS.size()),
        DASHES.get(number / MOST_POINTS));
  }

  /** The shape of a point, so that series differ without their colours as well. */
  public enum Marker {
    CIRCLE(""),
    SQUARE("-.9 -.9 .9 -.9 .9 .9 -.9 .9"),
    TRIANGLE("0 -1.2 1.1 .9 -1.1 .9"),
    DIAMOND("0 -1.3 1.3 0 0 1.3 -1.3 0"),
    TRIANGLE_DOWN("0 1.2 1.1 -.9 -1.1 -.9"),
    /** Kept for references: no series has it. */
    BAR("-.45 -1.3 .45 -1.3 .45 1.3 -.45 1.3");

    private final String corners;

    Marker(String corners) {
      this.corners = corners;
    }

    /** Returns whether the shape has no corners. */
    boolean isRound() {
      return corners.isEmpty();
    }

    /** Returns the corners around a place, in pixels. */
    String corners(double x, double y, double radius) {
      StringBuilder points = new StringBuilder();
      String[] parts = corners.split(" ", -1);
      for (int i = 0; i < parts.length; i += 2) {
        points
            .append(i == 0 ? "" : " ")
            .append(Svg.number(x + radius * Double.parseDouble(parts[i])))
            .append(',')
            .append(Svg.number(y + radius * Double.parseDouble(parts[i + 1])));
      }
      return points.toString();
    }
  }
}
