// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nvcache.bench.contender.ContenderKind;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PlanOptionsTest {
  private static List<ForkPlan> plans(String... arguments) {
    PlanOptions options = new PlanOptions();
    CommandLine.populateCommand(options, arguments);
    return options.plans();
  }

  @Test
  void shouldEndInTheTimeThatItPromises() {
    assertThat(limitNanos()).isEqualTo(TimeUnit.MINUTES.toNanos(25));
    assertThat(limitNanos("--full")).isEqualTo(Long.MAX_VALUE);
    assertThat(limitNanos("--minutes", "0")).isEqualTo(Long.MAX_VALUE);
    assertThat(limitNanos("--full", "--minutes", "3")).isEqualTo(TimeUnit.MINUTES.toNanos(3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limitNanos("--minutes", "-1"))
        .withMessage("--minutes is -1; it must be between 0 and 10000");
  }

  private static long limitNanos(String... arguments) {
    PlanOptions options = new PlanOptions();
    CommandLine.populateCommand(options, arguments);
    return options.limitNanos();
  }

  @Test
  void shouldKeepEachCacheToForksOfItsOwn() {
    List<ForkPlan> plans = plans("--quick", "--impl", "nvcache,ohc");

    assertThat(plans)
        .extracting(plan -> plan.kind() + " " + plan.task())
        .containsExactly(
            "NVCACHE CELLS",
            "NVCACHE LATENCY",
            "NVCACHE MEMORY",
            "NVCACHE INDEX",
            "NVCACHE SHADOWS",
            "OHC CELLS",
            "OHC LATENCY",
            "OHC MEMORY",
            // Once more, with huge pages.
            "NVCACHE CELLS",
            "NVCACHE INDEX");
  }

  @Test
  void shouldShowHugePagesApartUnlessToldOtherwise() {
    assertThat(plans("--impl", "nvcache,ohc"))
        .filteredOn(plan -> plan.pages() == HugePages.ON)
        .extracting(ForkPlan::kind)
        .containsOnly(ContenderKind.NVCACHE);
    assertThat(plans("--impl", "ohc", "--huge-pages", "ON"))
        .extracting(ForkPlan::pages)
        .containsOnly(HugePages.ON);
  }

  @Test
  void shouldMeasureOnlyTheCellsNamed() {
    List<ForkPlan> plans =
        plans(
            "--impl",
            "ehcache",
            "--block-bytes",
            "16384",
            "--cells",
            "hit-copy,insert/direct/uniform/2");

    assertThat(plans).hasSize(1);
    assertThat(plans.get(0).cells())
        .extracting(Cell::toString)
        .contains("hit-copy/heap/uniform/1", "insert/direct/uniform/2")
        .doesNotContain("insert/direct/uniform/1", "replace/direct/uniform/1");
  }

  @Test
  void shouldMeasureBlocksOfTheLengthsNamed() {
    assertThat(plans("--impl", "nvcache", "--block-bytes", "4096"))
        .filteredOn(plan -> plan.task() != ForkPlan.Task.INDEX)
        .extracting(ForkPlan::blockBytes)
        .containsOnly(4096);
    assertThat(plans("--impl", "ohc", "--cells", "latency", "--block-bytes", "4096,65536"))
        .extracting(ForkPlan::blockBytes)
        .containsExactly(4096, 65536);
  }

  @Test
  void shouldTakeTheDefaultAboutTenMinutes() {
    List<ForkPlan> plans = plans();

    long cells = plans.stream().mapToLong(plan -> plan.cells().size()).sum();
    // Warming up and the limit against itself take three quarters more.
    double minutes = cells * plans.get(0).millisPerCell() * 1.75 / 60_000;
    assertThat(minutes).as("minutes of measuring, loading left aside").isBetween(2.0, 6.0);
  }

  @Test
  void shouldCoverEveryCombinationInFull() {
    List<Cell> cells = plans("--full", "--impl", "nvcache").get(0).cells();

    assertThat(cells).doesNotHaveDuplicates();
    assertThat(cells)
        .extracting(Cell::toString)
        .contains("hit-copy/direct/zipfian/2", "hit-touch/heap/zipfian/2", "insert/heap/uniform/2")
        .hasSize(12 + 6 + 2 * 4 + 8 + 4);
  }

  @Test
  void shouldSurviveTheWayToTheFork() {
    for (ForkPlan plan : plans("--impl", "nvcache,caffeine-heap")) {
      assertThat(ForkPlan.parse(plan.toArguments())).isEqualTo(plan);
    }
  }

  @Test
  void shouldNameWhatIsWrongAndWhatIsRight() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plans("--impl", "redis"))
        .withMessageContainingAll("redis", "nvcache", "ohc");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plans("--cells", "hit"))
        .withMessageContainingAll("hit", "hit-copy", "memory");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plans("--block-bytes", "100"))
        .withMessageContainingAll("100", "512");
    assertThatIllegalArgumentException().isThrownBy(() -> plans("--quick", "--full"));
  }
}
