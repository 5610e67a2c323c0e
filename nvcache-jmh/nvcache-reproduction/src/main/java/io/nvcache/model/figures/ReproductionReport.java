// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.tier.Systems;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.MarkdownTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes docs/evidence/generated/reproduction.md: the tables of the first scale and seed with a
 * plot each, what lies outside its bar at any scale and seed, and the words of the template around
 * them.
 */
public final class ReproductionReport {
  private static final String TEMPLATE = "reproduction.md";
  private static final String IMAGES = "images";

  private ReproductionReport() {}

  /** Writes the page, and the plots to {@code images/} next to it. */
  public static void write(List<FigureResult> figures, Path page) throws IOException {
    FigureResult first = figures.get(0);
    List<FigureResult> shown =
        figures.stream()
            .filter(figure -> figure.scale() == first.scale() && figure.seed() == first.seed())
            .toList();
    Path images = page.resolveSibling(IMAGES);
    Files.createDirectories(images);
    StringBuilder sections = new StringBuilder();
    for (FigureResult figure : shown) {
      String image = "reproduction-" + figure.id() + ".svg";
      Files.writeString(images.resolve(image), ReproductionPlots.of(figure));
      sections.append(section(figure, image));
    }
    Map<String, String> slots =
        Map.of(
            "scale", Integer.toString(first.scale()),
            "seed", Long.toString(first.seed()),
            "verdict", verdict(figures),
            "outside", outside(figures),
            "times", times(shown),
            "systems", systems(),
            "figures", sections.toString().stripTrailing());
    String template = HtmlPage.template(ReproductionReport.class, TEMPLATE);
    Files.writeString(page, HtmlPage.fill(template, slots));
  }

  private static String section(FigureResult figure, String image) {
    MarkdownTable table = new MarkdownTable(ReproductionTables.HEADER);
    figure.rows().forEach(row -> table.add(ReproductionTables.cells(figure, row)));
    return "### "
        + figure.title()
        + "\n\n`scripts/reproduce --figure "
        + figure.id()
        + "`"
        + (figure.note().isEmpty() ? "" : "\n\n" + figure.note())
        + "\n\n!["
        + figure.title()
        + "]("
        + IMAGES
        + "/"
        + image
        + ")\n\n"
        + table
        + "\n\n";
  }

  private static String verdict(List<FigureResult> figures) {
    MarkdownTable table = new MarkdownTable(List.of("scale", "seed", "rows with a bar", "inside"));
    for (List<FigureResult> run : runs(figures).values()) {
      List<Row> gated =
          run.stream().flatMap(figure -> figure.rows().stream()).filter(Row::isGated).toList();
      table.add(
          List.of(
              Integer.toString(run.get(0).scale()),
              Long.toString(run.get(0).seed()),
              Integer.toString(gated.size()),
              Long.toString(gated.stream().filter(Row::isInside).count())));
    }
    return table.toString();
  }

  private static Map<String, List<FigureResult>> runs(List<FigureResult> figures) {
    return figures.stream()
        .collect(
            Collectors.groupingBy(
                figure -> figure.scale() + "/" + figure.seed(),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  private static String outside(List<FigureResult> figures) {
    List<String> header = new ArrayList<>(List.of("figure", "scale", "seed"));
    header.addAll(ReproductionTables.HEADER.subList(0, 6));
    MarkdownTable table = new MarkdownTable(header);
    Set<String> reported = new HashSet<>();
    for (FigureResult figure : figures) {
      for (Row row : figure.rows()) {
        if (row.isGated() && !row.isInside() && reported.add(row + " " + figure.seed())) {
          List<String> cells =
              new ArrayList<>(
                  List.of(
                      row.figure(), Integer.toString(row.scale()), Long.toString(figure.seed())));
          cells.addAll(ReproductionTables.cells(figure, row).subList(0, 6));
          table.add(cells);
        }
      }
    }
    String text = table.toString();
    return text.startsWith("|") ? text : "Every row with a bar is inside it.";
  }

  private static String times(List<FigureResult> figures) {
    MarkdownTable table = new MarkdownTable(List.of("figure", "seconds on one processor"));
    for (FigureResult figure : figures) {
      table.add(List.of(figure.id(), String.format(Locale.ROOT, "%.0f", figure.seconds())));
    }
    return table.toString();
  }

  private static String systems() {
    return Systems.all().stream()
        .map(system -> "| `" + system.name() + "` | " + system.summary() + " |")
        .collect(Collectors.joining("\n"));
  }
}
