// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.model.tier.Systems;
import io.nvcache.report.chart.DrawnSvg;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReproductionPlotsTest {
  private static final Path DOCS = Path.of("..", "..", "docs", "evidence", "generated");

  @Test
  void shouldNameEverySystemOnceForAllLoads() throws Exception {
    List<Row> rows = new ArrayList<>();
    for (String load : List.of("A", "B", "C", "D", "E")) {
      Systems.all().forEach(system -> rows.add(row("against none", system.name(), load, 1.5)));
    }

    DrawnSvg drawn = new DrawnSvg(ReproductionPlots.of(figure(rows)));

    drawn.assertThatTextsFit();
    assertThat(drawn.words()).contains("A", "B", "C", "D", "E", "against none · ratio");
    assertThat(Systems.all())
        .allSatisfy(system -> assertThat(drawn.words()).containsOnlyOnce(system.name()));
    assertThat(drawn.elements("circle")).hasSize(rows.size());
  }

  @Test
  void shouldDrawThePapersFiguresHollow() throws Exception {
    List<Row> rows =
        List.of(
            row("speed-up", "paper", "evict-btree", 3.8),
            new Row("f", "speed-up", "paper", "scan", 1000, "ratio", 3.0, Bar.NONE, 4.1),
            new Row("f", "written", "paper", "scan", 1000, "GB", 7, Bar.NONE, 8));

    DrawnSvg drawn = new DrawnSvg(ReproductionPlots.of(figure(rows)));

    drawn.assertThatTextsFit();
    assertThat(drawn.words())
        .contains("the model", "hollow: the paper's figure", "speed-up · paper · ratio")
        .doesNotContain("written");
    assertThat(drawn.elements("circle").stream().filter(c -> c.getAttribute("fill").equals("none")))
        .as("one dot and its key")
        .hasSize(2);
  }

  static Stream<Path> picturesOfTheDocs() throws Exception {
    try (Stream<Path> files = Files.list(DOCS.resolve("images"))) {
      return files.filter(file -> file.toString().endsWith(".svg")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("picturesOfTheDocs")
  void shouldHaveTextsAsTextInThePicturesOfTheDocs(Path picture) throws Exception {
    String svg = Files.readString(picture);

    assertThat(svg.length()).as("characters of %s", picture).isLessThan(50_000);
    assertThat(new DrawnSvg(svg).words()).hasSizeGreaterThan(5);
  }

  @Test
  void shouldFitAllTextsIntoThePicturesOfThePage() throws Exception {
    for (Path picture : picturesOfTheDocs().toList()) {
      if (picture.getFileName().toString().startsWith("reproduction-")) {
        new DrawnSvg(Files.readString(picture)).assertThatTextsFit();
      }
    }
  }

  private static Row row(String finding, String system, String load, double model) {
    return new Row("f", finding, system, load, 1000, "ratio", Double.NaN, Bar.NONE, model);
  }

  private static FigureResult figure(List<Row> rows) {
    return new FigureResult("f", "A figure", "", 1000, 1, 0, rows, List.of());
  }
}
