// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * Values by name: a row for each name, a dot in it for each series, and, where a third name
 * separates values apart, a panel of such rows for each. All panels have one scale, which is
 * logarithmic where it would press most values together otherwise. Names are written from left to
 * right, and the picture grows with them. For one thread.
 */
public final class DotChart {
  static final double WIDTH = 980;
  private static final double MARGIN = 14;
  private static final double MOST_LABEL = 360;
  private static final double GAP = 34;
  private static final double LEAST_PANEL = 120;
  private static final double MOST_PANEL = 560;
  private static final double LANE = 8;
  private static final double LEAST_ROW = 20;
  private static final double HEADING = 24;
  private static final double AXIS = 24;
  private static final double DOT = 4;
  private static final double RING = 6;
  private static final int MOST_TICKS = 11;
  private static final double PRESSED = 20;

  /** How a value is drawn. */
  public enum Fill {
    SOLID,
    /** For values that the solid ones are compared with. */
    HOLLOW
  }

  private record Dot(String panel, String row, String series, double value, Fill fill) {}

  private final String title;
  private final String axisTitle;
  private final String hollow;
  private final List<Dot> dots = new ArrayList<>();

  /**
   * Starts a chart without dots.
   *
   * @param axisTitle what the values are
   * @param hollow what hollow dots are, as the legend says
   */
  public DotChart(String title, String axisTitle, String hollow) {
    this.title = title;
    this.axisTitle = axisTitle;
    this.hollow = hollow;
  }

  /**
   * Adds a value; one that is not finite is left out.
   *
   * @param panel empty if there is one only
   */
  public void add(String panel, String row, String series, double value, Fill fill) {
    if (Double.isFinite(value)) {
      dots.add(new Dot(panel, row, series, value, fill));
    }
  }

  /**
   * Returns the picture.
   *
   * @throws IllegalStateException if there are more series than colours and markers
   */
  public String svg() {
    Map<String, Integer> panels = numbers(Dot::panel);
    Map<String, Integer> rows = numbers(Dot::row);
    Map<String, Integer> series = numbers(Dot::series);
    if (series.size() > SeriesStyle.MOST_POINTS) {
      throw new IllegalStateException(
          "'"
              + title
              + "' has "
              + series.size()
              + " series; a reader can tell "
              + SeriesStyle.MOST_POINTS
              + " apart, make rows or panels of the others");
    }
    Legend legend = legend(series);
    List<String> heading = TextSize.wrap(title, TextSize.TITLE, WIDTH - 2 * MARGIN);
    double top = MARGIN + 20 * heading.size();
    Grid grid = grid(panels, rows, series, top);
    Svg svg = new Svg();
    for (int i = 0; i < heading.size(); i++) {
      svg.boldText(
          WIDTH / 2, MARGIN + 12 + 20 * i, Svg.Anchor.MIDDLE, TextSize.TITLE, heading.get(i));
    }
    panels.forEach((panel, number) -> grid.draw(svg, panel, number));
    dots.forEach(dot -> grid.draw(svg, dot, series.getOrDefault(dot.series, 0)));
    if (dots.isEmpty()) {
      svg.text(WIDTH / 2, top + 16, Svg.Anchor.MIDDLE, TextSize.PLAIN, LineChart.NOTHING);
    }
    double bottom = grid.bottom();
    svg.text(
        grid.left + (grid.columns * (grid.width + GAP) - GAP) / 2,
        bottom + 12,
        Svg.Anchor.MIDDLE,
        TextSize.PLAIN,
        axisTitle);
    legend.draw(svg, MARGIN, bottom + 24);
    return svg.picture(WIDTH, bottom + 24 + legend.height() + MARGIN, title);
  }

  /** Returns the names in the order in which they came, numbered. */
  private Map<String, Integer> numbers(Function<Dot, String> name) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    dots.forEach(dot -> numbers.putIfAbsent(name.apply(dot), numbers.size()));
    return numbers;
  }

  private Legend legend(Map<String, Integer> series) {
    Legend legend = new Legend(WIDTH - 2 * MARGIN);
    boolean compared = dots.stream().anyMatch(dot -> dot.fill == Fill.HOLLOW);
    if (series.size() > 1 || compared) {
      series.forEach((name, number) -> legend.add(name, SeriesStyle.of(number), Legend.Key.POINT));
    }
    if (compared) {
      legend.add(hollow, SeriesStyle.reference(), Legend.Key.HOLLOW);
    }
    return legend;
  }

  private Grid grid(
      Map<String, Integer> panels,
      Map<String, Integer> rows,
      Map<String, Integer> series,
      double top) {
    double label = Math.min(MOST_LABEL, TextSize.widest(rows.keySet().stream())) + 10;
    double left = MARGIN + label;
    double room = WIDTH - MARGIN - left;
    double least =
        Math.max(LEAST_PANEL, TextSize.BOLDER * TextSize.widest(panels.keySet().stream()) + 8);
    int fitting = (int) Math.max(1, (room + GAP) / (least + GAP));
    int lines = (Math.max(1, panels.size()) + fitting - 1) / fitting;
    int columns = (Math.max(1, panels.size()) + lines - 1) / lines;
    double width = Math.min(MOST_PANEL, (room - GAP * (columns - 1)) / columns);
    if (columns == 1) {
      left += (room - width) / 2;
    }
    Map<Cell, NavigableSet<Integer>> cells = new HashMap<>();
    dots.forEach(
        dot ->
            cells
                .computeIfAbsent(Cell.of(dot), cell -> new TreeSet<>())
                .add(series.getOrDefault(dot.series, 0)));
    int lanes = cells.values().stream().mapToInt(NavigableSet::size).max().orElse(0);
    double row = Math.max(LEAST_ROW, LANE * lanes + 6);
    int mostTicks = Math.min(MOST_TICKS, (int) (width / (TextSize.widest(scale(5).labels()) + 10)));
    Scale scale = scale(Math.max(2, mostTicks));
    return new Grid(left, top, width, row, columns, panels, rows, cells, scale);
  }

  private Scale scale(int mostTicks) {
    double[] values = dots.stream().mapToDouble(Dot::value).sorted().toArray();
    DoubleSummaryStatistics range = DoubleStream.of(values).summaryStatistics();
    boolean pressed =
        values.length > 0
            && range.getMin() > 0
            && range.getMax() > PRESSED * values[values.length / 2];
    return pressed ? Scale.logarithmic(range, mostTicks) : Scale.linear(range, mostTicks);
  }

  /** A row of a panel. */
  private record Cell(String panel, String row) {
    static Cell of(Dot dot) {
      return new Cell(dot.panel, dot.row);
    }
  }

  /**
   * Where panels, rows and values are.
   *
   * @param cells the numbers of the series that each has
   */
  private record Grid(
      double left,
      double top,
      double width,
      double rowHeight,
      int columns,
      Map<String, Integer> panels,
      Map<String, Integer> rows,
      Map<Cell, NavigableSet<Integer>> cells,
      Scale scale) {

    private double headingHeight() {
      return panels.size() > 1 ? HEADING : 8;
    }

    private double panelHeight() {
      return headingHeight() + rowHeight * rows.size() + AXIS;
    }

    private double bottom() {
      int lines = (Math.max(1, panels.size()) + columns - 1) / columns;
      return top + lines * (panelHeight() + 6);
    }

    private double panelLeft(int panel) {
      return left + panel % columns * (width + GAP);
    }

    private double rowsTop(int panel) {
      int line = panel / columns;
      return top + line * (panelHeight() + 6) + headingHeight();
    }

    private double across(int panel, double value) {
      return panelLeft(panel) + scale.part(value) * width;
    }

    private double down(int panel, int row) {
      return rowsTop(panel) + rowHeight * (row + 0.5);
    }

    private void draw(Svg svg, String name, int panel) {
      double x = panelLeft(panel);
      double rowsTop = rowsTop(panel);
      double rowsBottom = rowsTop + rowHeight * rows.size();
      if (panels.size() > 1) {
        svg.boldText(x + width / 2, rowsTop - 8, Svg.Anchor.MIDDLE, TextSize.PLAIN, name);
      }
      rows.forEach((row, number) -> drawRow(svg, row, number, panel));
      for (double tick : scale.ticks()) {
        double at = across(panel, tick);
        svg.line(at, rowsTop, at, rowsBottom, tick == 0 ? "#9ca3af" : Svg.GRID);
        svg.text(at, rowsBottom + 15, Svg.Anchor.MIDDLE, TextSize.SMALL, Scale.label(tick));
      }
    }

    private void drawRow(Svg svg, String name, int row, int panel) {
      if (row % 2 == 0) {
        double y = down(panel, row) - rowHeight / 2;
        svg.rectangle(panelLeft(panel), y, width, rowHeight, Svg.BAND);
      }
      if (panel % columns == 0) {
        svg.text(
            left - 10,
            down(panel, row) + 4,
            Svg.Anchor.END,
            TextSize.PLAIN,
            TextSize.cut(name, TextSize.PLAIN, MOST_LABEL));
      }
    }

    /** Draws a dot in the lane of its series: dots of one value would hide each other. */
    private void draw(Svg svg, Dot dot, int number) {
      int panel = panels.getOrDefault(dot.panel, 0);
      double x = across(panel, dot.value);
      NavigableSet<Integer> beside =
          cells.getOrDefault(Cell.of(dot), Collections.emptyNavigableSet());
      double lane = (beside.headSet(number, false).size() - (beside.size() - 1) / 2.0) * LANE;
      double y = down(panel, rows.getOrDefault(dot.row, 0)) + lane;
      if (dot.fill == Fill.HOLLOW) {
        svg.hollowMarker(x, y, RING, SeriesStyle.of(number));
      } else {
        svg.marker(x, y, DOT, SeriesStyle.of(number));
      }
    }
  }
}
