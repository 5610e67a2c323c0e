// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

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
