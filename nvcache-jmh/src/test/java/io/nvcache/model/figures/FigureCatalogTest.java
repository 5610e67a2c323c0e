// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.model.RunResult;
import io.nvcache.model.Scenario;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FigureCatalogTest {
  private static final RunResult.Load IDLE = new RunResult.Load(0, 0);
  private static final RunResult EMPTY =
      new RunResult(1, 1, 1, 1, 0.5, 1, 1, 1, 1, 1, 1, 1, 1, IDLE, IDLE, IDLE);

  private static List<Scenario> scenarios(Figure figure, RunResult answer) {
    List<Scenario> asked = new ArrayList<>();
    figure.rows(
        new Runs(
            1000,
            1,
            scenario -> {
              asked.add(scenario);
              return answer;
            }));
    return asked;
  }

  @Test
  void shouldTellItsRowsApartByTheirLabels() {
    List<String> labels = new ArrayList<>();
    for (Figure figure : FigureCatalog.ALL) {
      for (Row row : figure.rows(new Runs(1000, 1, scenario -> EMPTY))) {
        assertThat(row.figure()).isEqualTo(figure.id());
        labels.add(String.join("|", row.figure(), row.row(), row.system(), row.workload()));
      }
    }
    assertThat(labels).doesNotHaveDuplicates().hasSizeGreaterThan(300);
  }

  @Test
  void shouldAskForTheSameRunsWhateverTheyBring() {
    RunResult fast = new RunResult(9, 9, 9, 9, 0.1, 9, 9, 9, 9, 9, 9, 9, 9, IDLE, IDLE, IDLE);
    for (Figure figure : FigureCatalog.ALL) {
      assertThat(scenarios(figure, fast)).as(figure.id()).isEqualTo(scenarios(figure, EMPTY));
    }
  }

  @Test
  void shouldHoldEveryGatedRowToABarThatSomethingCanMiss() {
    for (Figure figure : FigureCatalog.ALL) {
      for (Row row : figure.rows(new Runs(1000, 1, scenario -> EMPTY))) {
        if (row.isGated()) {
          assertThat(row.bar().holds(-1e9) && row.bar().holds(1e9)).as(row.toString()).isFalse();
          assertThat(row.bar().low()).as(row.toString()).isLessThanOrEqualTo(row.bar().high());
          if (!Double.isNaN(row.paper()) && row.figure().equals("table1")) {
            assertThat(row.bar().holds(row.paper())).as(row.toString()).isTrue();
          }
        }
      }
    }
  }
}
