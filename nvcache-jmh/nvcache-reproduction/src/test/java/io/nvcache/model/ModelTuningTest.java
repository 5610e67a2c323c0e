// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.control.TuningBounds;
import io.nvcache.control.TuningReport;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * The tuner of a real cache, its shadows and its probe, on media that are and are not disturbed.
 */
class ModelTuningTest {
  private static final double LEAST = 0.005;
  private static final double MOST = 1;
  private static final TuningBounds BOUNDS =
      new TuningBounds(LEAST, MOST, Duration.ofNanos(500_000));

  private static TuningReport tune(ModelParameters parameters) {
    AtomicReference<BlockCache> cache = new AtomicReference<>();
    ModelSystem system = Systems.tuned(BOUNDS, LEAST, cache::set);
    ModelRun.run(new Scenario(Workloads.B.lasting(30), system, 32, 64, 0, parameters, 2000, 1));
    return cache.get().control().tuning().report();
  }

  @Test
  void shouldSteerAwayFromABadTargetWhereWritesHarm() {
    TuningReport report = tune(ModelParameters.PAPER);

    assertThat(report.state()).as(report.toString()).isEqualTo(TuningReport.State.STEERING);
    assertThat(report.target().orElseThrow()).as(report.toString()).isGreaterThan(0.02);
  }

  @Test
  void shouldEndAtTheUpperBoundWhereWritesDisturbNobody() {
    TuningReport report =
        tune(ModelParameters.PAPER.withNvram(ModelParameters.PAPER.nvram().undisturbed()));

    assertThat(report.state()).as(report.toString()).isEqualTo(TuningReport.State.NO_INTERFERENCE);
    assertThat(report.target().orElseThrow()).as(report.toString()).isEqualTo(MOST);
  }
}
