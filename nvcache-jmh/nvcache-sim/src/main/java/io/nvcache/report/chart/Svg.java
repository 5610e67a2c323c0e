// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import io.nvcache.report.chart.SeriesStyle.Marker;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Collects the elements of one picture. Lengths are in pixels. For one thread. */
final class Svg {
  static final String INK = "#374151";
  static final String GRID = "#e5e7eb";
  static final String BAND = "#f9fafb";

  /** Of a picture in its own file: a page that contains one has its own colours. */
  private static final String DARK =
      "<style>@media (prefers-color-scheme: dark) { svg:root { filter: invert(0.93)"
          + " hue-rotate(180deg); } }</style>\n";

  private final StringBuilder elements = new StringBuilder();

  /** Where a text is relative to its place. */
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  /** Returns the picture. Inside a page it takes its own size, or less where there is less room. */
  String picture(double width, double height, String title) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\""
        + number(width)
        + "\" height=\""
        + number(height)
        + "\" viewBox=\"0 0 "
        + number(width)
        + ' '
        + number(height)
        + "\" style=\"max-width:"
        + number(width)
        + "px\" font-family=\"Arial, Helvetica, 'DejaVu Sans', sans-serif\" font-size=\""
        + number(TextSize.PLAIN)
        + "\" fill=\""
        + INK
        + "\">\n<title>"
        + Markup.escape(title)
        + "</title>\n"
        + DARK
        + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        + elements
        + "</svg>\n";
  }

  void text(double x, double y, Anchor anchor, double size, String text) {
    text(x, y, anchor, size, "", text);
  }

  void boldText(double x, double y, Anchor anchor, double size, String text) {
    text(x, y, anchor, size, " font-weight=\"bold\"", text);
  }

  private void text(double x, double y, Anchor anchor, double size, String weight, String text) {
    elements.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y)).append('"');
    if (anchor != Anchor.START) {
      elements.append(" text-anchor=\"").append(anchor == Anchor.END ? "end" : "middle");
      elements.append('"');
    }
    if (size != TextSize.PLAIN) {
      elements.append(" font-size=\"").append(number(size)).append('"');
    }
    elements.append(weight).append('>').append(Markup.escape(text)).append("</text>\n");
  }

  void rectangle(double x, double y, double width, double height, String fill) {
    elements
        .append("<rect x=\"" + number(x) + "\" y=\"" + number(y))
        .append("\" width=\"" + number(width) + "\" height=\"" + number(height))
        .append("\" fill=\"" + fill + "\"/>\n");
  }

  void line(double x, double y, double toX, double toY, String color) {
    elements
        .append("<path d=\"M" + number(x) + ' ' + number(y) + 'L' + number(toX) + ' ')
        .append(number(toY) + "\" stroke=\"" + color + "\"/>\n");
  }

  /** Adds lines from point to point, given as "x,y x,y". */
  void polyline(String points, SeriesStyle style) {
    elements
        .append("<polyline points=\"" + points + "\" fill=\"none\" stroke=\"" + style.color())
        .append("\" stroke-width=\"2\" stroke-linejoin=\"round\"" + dash(style) + "/>\n");
  }

  private static String dash(SeriesStyle style) {
    return style.dash().isEmpty() ? "" : " stroke-dasharray=\"" + style.dash() + '"';
  }

  void marker(double x, double y, double radius, SeriesStyle style) {
    shape(x, y, radius, style.marker(), " fill=\"" + style.color() + '"');
  }

  void hollowMarker(double x, double y, double radius, SeriesStyle style) {
    shape(x, y, radius, style.marker(), hollow(style));
  }

  void ring(double x, double y, double radius, SeriesStyle style) {
    shape(x, y, radius, Marker.CIRCLE, hollow(style));
  }

  private static String hollow(SeriesStyle style) {
    return " fill=\"none\" stroke=\"" + style.color() + "\" stroke-width=\"1.5\"";
  }

  private void shape(double x, double y, double radius, Marker marker, String look) {
    if (marker.isRound()) {
      elements
          .append("<circle cx=\"" + number(x) + "\" cy=\"" + number(y))
          .append("\" r=\"" + number(radius) + '"' + look + "/>\n");
    } else {
      elements.append("<polygon points=\"" + marker.corners(x, y, radius) + '"' + look + "/>\n");
    }
  }

  /** Returns a length with one decimal at most. */
  static String number(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}
