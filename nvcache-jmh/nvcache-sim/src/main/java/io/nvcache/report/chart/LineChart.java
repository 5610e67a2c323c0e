// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Lines over numbers, such as a time. Values that are not finite are left out. For one thread. */
public final class LineChart {
  private static final double MARGIN = 16;
  private static final double TOP = 36;
  private static final int Y_TICKS = 7;
  private static final double MARKER = 3.5;
  private static final int MOST_MARKED = 24;
  private static final int MARKERS = 8;
  static final String NOTHING = "nothing was measured";

  /**
   * A point of a line.
   *
   * @param error half of the interval around {@code y}; 0 if there is none
   */
  public record Point(double x, double y, double error) {
    /** A point without an interval. */
    public Point(double x, double y) {
      this(x, y, 0);
    }

    private boolean isFinite() {
      return Double.isFinite(x) && Double.isFinite(y) && Double.isFinite(error);
    }
  }

  private record Line(String name, SeriesStyle style, List<Point> points) {}

  /** What the numbers of the horizontal axis are like. */
  public enum Axis {
    /** From zero on in even steps. */
    LINEAR,
    /** Above zero, in even steps of the logarithm. Points at zero are left out. */
    LOGARITHMIC
  }

  /** How large the picture is. */
  public enum Format {
    /** Two fit next to each other on a page. */
    HALF(560, 230),
    /** As wide as a page, for many lines. */
    FULL(1100, 460);

    private final double width;
    private final double plotHeight;

    Format(double width, double plotHeight) {
      this.width = width;
      this.plotHeight = plotHeight;
    }
  }

  private final String title;
  private final String xTitle;
  private final Format format;
  private final Axis axis;
  private final List<Line> lines = new ArrayList<>();
  private final Set<SeriesStyle> styles = new HashSet<>();

  /** Starts a chart without lines, half as wide as a page. */
  public LineChart(String title, String xTitle, Axis axis) {
    this(title, xTitle, axis, Format.HALF);
  }

  /** Starts a chart without lines. */
  public LineChart(String title, String xTitle, Axis axis, Format format) {
    this.title = title;
    this.xTitle = xTitle;
    this.format = format;
    this.axis = axis;
  }

  /** Adds a line in the next style that no line has. */
  public void add(String name, List<Point> points) {
    int number = 0;
    while (styles.contains(SeriesStyle.of(number))) {
      number++;
    }
    add(name, SeriesStyle.of(number), points);
  }

  /**
   * Adds a line.
   *
   * @throws IllegalArgumentException if another line has this style
   */
  public void add(String name, SeriesStyle style, List<Point> points) {
    if (!styles.add(style)) {
      throw new IllegalArgumentException("'" + name + "' looks like another line: " + style);
    }
    List<Point> shown =
        points.stream()
            .filter(Point::isFinite)
            .filter(point -> axis == Axis.LINEAR || point.x > 0)
            .toList();
    if (!shown.isEmpty()) {
      lines.add(new Line(name, style, shown));
    }
  }

  /** Returns the picture. */
  public String svg() {
    double width = format.width;
    Scale y = Scale.linear(heights(), Y_TICKS);
    double left = MARGIN + 8 + TextSize.widest(y.labels());
    Frame frame = new Frame(left, width - left - MARGIN - 8, format.plotHeight, x(width - left), y);
    Legend legend = new Legend(width - 2 * MARGIN);
    lines.forEach(line -> legend.add(line.name, line.style, Legend.Key.LINE));
    Svg svg = new Svg();
    String heading = TextSize.wrap(title, TextSize.TITLE, width - 2 * MARGIN).get(0);
    svg.boldText(width / 2, 22, Svg.Anchor.MIDDLE, TextSize.TITLE, heading);
    frame.draw(svg);
    lines.forEach(line -> frame.draw(svg, line));
    double bottom = TOP + format.plotHeight;
    svg.text(left + frame.width / 2, bottom + 36, Svg.Anchor.MIDDLE, TextSize.PLAIN, xTitle);
    legend.draw(svg, MARGIN, bottom + 46);
    if (lines.isEmpty()) {
      svg.text(width / 2, TOP + format.plotHeight / 2, Svg.Anchor.MIDDLE, TextSize.PLAIN, NOTHING);
    }
    return svg.picture(width, bottom + 46 + legend.height() + 8, title);
  }

  private DoubleSummaryStatistics heights() {
    DoubleSummaryStatistics heights = new DoubleSummaryStatistics();
    for (Line line : lines) {
      for (Point point : line.points) {
        heights.accept(point.y - point.error);
        heights.accept(point.y + point.error);
      }
    }
    return heights;
  }

  private Scale x(double width) {
    DoubleSummaryStatistics range =
        lines.stream()
            .flatMap(line -> line.points.stream())
            .mapToDouble(Point::x)
            .summaryStatistics();
    int mostTicks = (int) (width / 50);
    return axis == Axis.LINEAR || range.getCount() == 0
        ? Scale.linear(range, mostTicks)
        : Scale.logarithmic(range, mostTicks);
  }

  /** The plot with its axes. */
  private record Frame(double left, double width, double height, Scale x, Scale y) {
    private double across(double value) {
      return left + x.part(value) * width;
    }

    private double down(double value) {
      return TOP + (1 - y.part(value)) * height;
    }

    private void draw(Svg svg) {
      for (double tick : y.ticks()) {
        svg.line(left, down(tick), left + width, down(tick), tick == 0 ? Svg.INK : Svg.GRID);
        svg.text(left - 8, down(tick) + 4, Svg.Anchor.END, TextSize.PLAIN, Scale.label(tick));
      }
      double bottom = TOP + height;
      for (double tick : x.ticks()) {
        svg.line(across(tick), bottom, across(tick), bottom + 4, Svg.INK);
        svg.text(across(tick), bottom + 18, Svg.Anchor.MIDDLE, TextSize.PLAIN, Scale.label(tick));
      }
    }

    private void draw(Svg svg, Line line) {
      StringBuilder points = new StringBuilder();
      for (Point point : line.points) {
        points.append(points.length() == 0 ? "" : " ").append(Svg.number(across(point.x)));
        points.append(',').append(Svg.number(down(point.y)));
        if (point.error > 0) {
          double x = across(point.x);
          svg.line(
              x, down(point.y - point.error), x, down(point.y + point.error), line.style.color());
        }
      }
      if (line.points.size() > 1) {
        svg.polyline(points.toString(), line.style);
      }
      int every = line.points.size() <= MOST_MARKED ? 1 : line.points.size() / MARKERS;
      for (int i = every / 2; i < line.points.size(); i += every) {
        Point point = line.points.get(i);
        svg.marker(across(point.x), down(point.y), MARKER, line.style);
      }
    }
  }
}
