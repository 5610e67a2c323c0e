// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.model.RunResult;
import io.nvcache.model.Scenario;
import io.nvcache.model.figures.FigureResult.Run;
import io.nvcache.model.tier.Systems;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FigureCatalogTest {
  private static final int SCALE = 1000;
  private static final RunResult SOME = result(20_000, 0.6, 0.7, 200, 500, 0.5);

  private static RunResult result(
      double throughput,
      double hits,
      double removed,
      double admittedGb,
      double nvramGb,
      double busy) {
    double inserted = 1e6;
    return new RunResult(
        3600,
        throughput,
        throughput,
        throughput,
        1e7,
        hits,
        inserted,
        removed * inserted,
        removed * inserted,
        admittedGb,
        nvramGb,
        1,
        1,
        1,
        new RunResult.Load(1, 1),
        new RunResult.Load(1 - busy, 10 * (1 - busy)),
        new RunResult.Load(busy, 10 * busy));
  }

  private static List<Row> rows(Figure figure, Function<Scenario, RunResult> runs) {
    return figure.rows(new Runs(SCALE, 1, runs));
  }

  private static List<Scenario> scenarios(Figure figure, RunResult answer) {
    List<Scenario> asked = new ArrayList<>();
    rows(
        figure,
        scenario -> {
          asked.add(scenario);
          return answer;
        });
    return asked;
  }

  private static String name(Row row) {
    return String.join("|", row.figure(), row.row(), row.system(), row.workload());
  }

  @Test
  void shouldTellItsRowsApartByTheirLabels() {
    List<String> labels = new ArrayList<>();
    for (Figure figure : FigureCatalog.ALL) {
      for (Row row : rows(figure, scenario -> SOME)) {
        assertThat(row.figure()).isEqualTo(figure.id());
        labels.add(name(row));
      }
    }
    assertThat(labels).doesNotHaveDuplicates().hasSizeGreaterThan(300);
  }

  @Test
  void shouldTellTheRunsOfAFigureApartByTheirLabels() {
    for (Figure figure : FigureCatalog.ALL) {
      List<Run> runs =
          scenarios(figure, SOME).stream().distinct().map(s -> new Run(s, SOME)).toList();
      FigureResult result = new FigureResult(figure.id(), "", "", SCALE, 1, 0, List.of(), runs);
      assertThat(
              ReproductionRecords.of(List.of(result)).stream()
                  .filter(entry -> entry.metric().equals("nvram_busy")))
          .as(figure.id())
          .hasSize(runs.size());
    }
  }

  @Test
  void shouldLabelRowsByTheScaleOfTheirRuns() {
    for (Row row : rows(EagerEviction.FIGURE, scenario -> SOME)) {
      assertThat(row.scale()).isEqualTo(row.workload().equals("evict-btree-scan") ? 250 : SCALE);
      assertThat(row.workload()).doesNotContain("scale");
    }
  }

  @Test
  void shouldAskForTheSameRunsWhateverTheyBring() {
    RunResult other = result(9, 0.1, 0.9, 9, 9, 0.9);
    for (Figure figure : FigureCatalog.ALL) {
      assertThat(scenarios(figure, other)).as(figure.id()).isEqualTo(scenarios(figure, SOME));
    }
  }

  /** Equal for equal runs, on any machine. */
  private static long key(Scenario scenario) {
    return (scenario.name()
            + scenario.dramGb()
            + scenario.nvramGb()
            + scenario.pageCacheGb()
            + scenario.parameters())
        .hashCode();
  }

  /** Whatever figures came to, within what machines like this one might do. */
  private static RunResult anything(SplittableRandom random, double spread) {
    return result(
        30_000 * Math.pow(10, spread * random.nextDouble()),
        random.nextDouble(),
        Math.max(0, 1.2 * random.nextDouble() - 0.2),
        500 * random.nextDouble(),
        1000 * random.nextDouble(),
        random.nextDouble());
  }

  @Test
  void shouldHoldEveryGatedRowToABarThatARunCanMissAndOneCanMeet() {
    for (Figure figure : FigureCatalog.ALL) {
      Set<String> gated = new TreeSet<>();
      Set<String> missed = new TreeSet<>();
      Set<String> met = new TreeSet<>();
      for (int seed = 1; seed <= 300; seed++) {
        int world = seed;
        double spread = seed % 4 == 0 ? 0.05 : 1; // All much alike, or anything.
        for (Row row :
            rows(
                figure,
                scenario -> anything(new SplittableRandom(31L * world + key(scenario)), spread))) {
          if (row.isGated()) {
            gated.add(name(row));
            (row.isInside() ? met : missed).add(name(row));
          }
        }
      }
      if (Set.of("fig1", "fig2").contains(figure.id())) {
        continue; // They run a bare device, of which this knows nothing.
      }
      assertThat(missed).as("rows that can be missed").isEqualTo(gated);
      assertThat(met).as("rows that can be met").isEqualTo(gated);
    }
  }

  /** Where no system does anything, only rows that claim so are inside, and what prices bring. */
  @Test
  void shouldMissTheBarsOfEffectsWhereThereAreNone() {
    List<Row> inside = new ArrayList<>();
    for (Figure figure : FigureCatalog.ALL) {
      if (!Set.of("fig1", "fig2").contains(figure.id())) {
        rows(figure, scenario -> SOME).stream()
            .filter(row -> row.isGated() && row.isInside())
            .forEach(inside::add);
      }
    }

    assertThat(inside.stream().map(row -> row.figure() + ": " + row.row()).distinct())
        .containsExactlyInAnyOrder(
            "fig4: change",
            "obp: spread from 5 to 30 %",
            "tuning: tuned against the best",
            "tuning: tuned against the highest target, no interference",
            "fig7: against none, 64 GB",
            "fig7: Memory Mode against NVCache, 252 GB",
            "fig8: gain per dollar, 64/32 GB",
            "fig9: gain per dollar, 64/32 GB",
            "fig10: NVCache against the best Memory Mode, 64 GB",
            "ablation: eager / none, fast writes that disturb readers",
            "ablation: eager / none, fast writes that disturb nobody");
    assertThat(inside.stream().filter(row -> row.figure().equals("fig4")).map(Row::system))
        .containsOnly(Systems.OBP_WITHOUT_EVICTION.name());
    assertThat(inside.stream().filter(row -> row.row().startsWith("against none")).map(Row::system))
        .containsOnly(Systems.OPEN_CAS.name());
  }

  @Test
  void shouldHoldNoRowToABarThatIsArithmeticOrARepetition() {
    Set<String> figures =
        FigureCatalog.ALL.stream()
            .flatMap(figure -> rows(figure, scenario -> SOME).stream())
            .filter(Row::isGated)
            .map(Row::figure)
            .collect(Collectors.toSet());

    assertThat(figures).doesNotContain("table4");
    assertThat(
            rows(EagerEviction.FIGURE, scenario -> SOME).stream()
                .filter(Row::isGated)
                .map(Row::workload))
        .doesNotContain("medium-btree-large");
  }

  /** A bar that the paper's own figure would miss asks for something else than the paper found. */
  @Test
  void shouldHaveThePapersFiguresInsideTheBarsOfTable1() {
    for (Row row : rows(EagerEviction.FIGURE, scenario -> SOME)) {
      if (row.isGated() && !Double.isNaN(row.paper())) {
        assertThat(row.bar().holds(row.paper())).as(row.toString()).isTrue();
      }
    }
  }
}
