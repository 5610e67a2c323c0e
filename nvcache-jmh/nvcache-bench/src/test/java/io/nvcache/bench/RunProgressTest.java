// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.bench.contender.ContenderKind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RunProgressTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final int FORKS = 10;

  private final ForkPlan plan =
      new ForkPlan(
          ForkPlan.Task.CELLS,
          ContenderKind.NVCACHE,
          4096,
          100,
          500,
          1,
          HugePages.DEFAULT,
          CellGrid.brief());
  private final AtomicLong clock = new AtomicLong(7);
  private final StringWriter said = new StringWriter();

  private RunProgress progress(long limitNanos) {
    return new RunProgress(
        new PrintWriter(said),
        List.of(Jdk.current()),
        Collections.nCopies(FORKS, plan),
        limitNanos,
        clock::get);
  }

  @Test
  void shouldMeasureCellsForShorterOnceTimeRunsShort() {
    RunProgress progress = progress(FORKS * MINUTE);
    var unused = progress.begin(Jdk.current(), plan);
    assertThat(progress.paced(plan)).isEqualTo(plan);

    clock.addAndGet(MINUTE);
    unused = progress.begin(Jdk.current(), plan);
    assertThat(progress.paced(plan)).as("in time").isEqualTo(plan);

    clock.addAndGet(3 * MINUTE); // 2 forks took 4 min, 8 have 6 min.
    unused = progress.begin(Jdk.current(), plan);
    assertThat(progress.paced(plan).millisPerCell()).isEqualTo(500 * 6 / 16);
    assertThat(said.toString()).endsWith("; about 6 min left" + System.lineSeparator());

    clock.addAndGet(5 * MINUTE);
    unused = progress.begin(Jdk.current(), plan);
    assertThat(progress.paced(plan).millisPerCell()).as("enough for quartiles").isEqualTo(100);
    assertThat(progress.leftNanos()).isEqualTo(MINUTE);

    clock.addAndGet(2 * MINUTE);
    assertThat(progress.leftNanos()).isZero();
  }

  @Test
  void shouldTakeItsTimeWithoutALimit() {
    RunProgress progress = progress(Long.MAX_VALUE);
    var unused = progress.begin(Jdk.current(), plan);
    clock.addAndGet(1000 * MINUTE);
    unused = progress.begin(Jdk.current(), plan);

    assertThat(progress.paced(plan)).isEqualTo(plan);
    assertThat(progress.leftNanos()).isPositive();
  }
}
