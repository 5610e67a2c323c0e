// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReproduceCommandTest {
  @TempDir private Path directory;

  @Test
  void shouldWriteRecordsOfPaperModelBarAndVerdict() throws Exception {
    Path json = directory.resolve("out.json");

    CliRun run =
        CliRun.of("reproduce", "--figure", "fig1,fig2", "--json", json.toString(), "--strict");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("6 of 6 rows inside their bars");
    String records = Files.readString(json);
    for (String metric : new String[] {"paper", "model", "bar_low", "bar_high", "inside"}) {
      assertThat(records).contains("\"metric\": \"" + metric + "\"");
    }
    for (String label : new String[] {"figure", "row", "system", "workload", "scale", "seed"}) {
      assertThat(records).contains("\"" + label + "\": ");
    }
  }

  @Test
  void shouldWriteAPageWithPlots() throws Exception {
    Path page = directory.resolve("page.md");

    CliRun run = CliRun.of("reproduce", "--figure", "fig1,fig2", "--doc", page.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Files.readString(page)).contains("| 1 writer |", "images/reproduction-fig2.svg");
    assertThat(directory.resolve("images/reproduction-fig1.svg")).content().startsWith("<svg");
  }

  @Test
  void shouldListFiguresAndSystems() {
    CliRun run = CliRun.of("reproduce", "--list");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("table1", "fig10", "memory-mode", "orthus");
  }

  @Test
  void shouldNotCallStrictWhatChecksNothing() {
    CliRun run = CliRun.of("reproduce", "--figure", "table4", "--strict");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--strict: no row of these figures has a bar");
  }

  @Test
  void shouldSayThatNothingIsLeftToRun() {
    Path page = directory.resolve("page.md");

    CliRun run = CliRun.of("reproduce", "--figure", "systems", "--smoke", "--doc", page.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--smoke: none of these figures has a smoke row");
    assertThat(page).doesNotExist();
  }

  @Test
  void shouldTakeFiguresHoweverTheyAreGiven() {
    for (String[] arguments :
        new String[][] {
          {"reproduce", "--figure", "fig1,fig2"},
          {"reproduce", "--figure", "fig1", "fig2"},
          {"reproduce", "--figure", "fig1", "--figure", "fig2", "--strict"},
        }) {
      CliRun run = CliRun.of(arguments);

      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).contains("Fig. 1:", "Fig. 2:").doesNotContain("Table 4");
    }
  }

  @Test
  void shouldRefuseWhatItCantDo() {
    assertThat(CliRun.of("reproduce", "--figure", "fig3").exitCode()).isEqualTo(2);
    assertThat(CliRun.of("reproduce", "--figure", "fig3").err())
        .contains("--figure is 'fig3'")
        .contains("fig10");
    assertThat(CliRun.of("reproduce", "--scale", "5000").err()).contains("from 50 to 2000");
    assertThat(CliRun.of("reproduce", "--seed", "1,2,1").err())
        .contains("--seed is '1,2,1'", "without repetitions");
    assertThat(CliRun.of("reproduce", "--doc", "/nowhere/at/all.md").exitCode()).isEqualTo(2);
    assertThat(CliRun.of("reproduce", "--doc", "/proc/page.md").err()).contains("--doc is");
  }
}
