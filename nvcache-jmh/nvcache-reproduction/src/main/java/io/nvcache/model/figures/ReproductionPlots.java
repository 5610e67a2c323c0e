// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.report.chart.DotChart;
import io.nvcache.report.chart.DotChart.Fill;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Draws a figure as dots: the rows of the unit that most of its rows have. What a row is about,
 * finding, system and load, becomes row, panel and series of the picture: what has the most names
 * becomes the rows, as there is room for many of them. Where the paper has a number, it is a hollow
 * dot.
 */
final class ReproductionPlots {
  private static final int MOST_SERIES = 4;
  private static final String MODEL = "the model";
  private static final String PAPER = "hollow: the paper's figure";

  private ReproductionPlots() {}

  /** What rows differ in, and the names that they have there. */
  private record Part(Function<Row, String> name, List<String> names) {
    static Part of(List<Row> rows, Function<Row, String> name) {
      return new Part(name, rows.stream().map(name).distinct().toList());
    }

    boolean isOne() {
      return names.size() <= 1;
    }
  }

  /** The figure as SVG. */
  static String of(FigureResult figure) {
    String unit = commonUnit(figure.rows());
    List<Row> rows = figure.rows().stream().filter(row -> row.unit().equals(unit)).toList();
    List<Part> parts =
        Stream.of(
                Part.of(rows, Row::row),
                Part.of(rows, row -> row.system().isEmpty() ? MODEL : row.system()),
                Part.of(rows, Row::workload))
            .sorted(Comparator.comparing((Part part) -> part.names.size()).reversed())
            .collect(Collectors.toCollection(ArrayList::new));
    String constant =
        parts.stream()
            .filter(Part::isOne)
            .flatMap(part -> part.names.stream())
            .filter(name -> !name.equals("any"))
            .collect(Collectors.joining(" · "));
    Part line = parts.remove(0);
    boolean twoParts = parts.get(1).isOne() && parts.get(0).names.size() <= MOST_SERIES;
    Part series = parts.get(twoParts ? 0 : 1);
    Part panel = parts.get(twoParts ? 1 : 0);
    String axis = constant.isEmpty() ? unit : constant + " · " + unit;
    DotChart chart = new DotChart(figure.title(), axis, PAPER);
    for (Row row : rows) {
      String inPanel = panel.name.apply(row);
      String inLine = line.name.apply(row);
      String inSeries = series.isOne() ? MODEL : series.name.apply(row);
      chart.add(inPanel, inLine, inSeries, row.model(), Fill.SOLID);
      chart.add(inPanel, inLine, inSeries, row.paper(), Fill.HOLLOW);
    }
    return chart.svg();
  }

  private static String commonUnit(List<Row> rows) {
    Map<String, Long> counts =
        rows.stream().collect(Collectors.groupingBy(Row::unit, Collectors.counting()));
    return rows.stream().map(Row::unit).max(Comparator.comparing(counts::get)).orElse("");
  }
}
