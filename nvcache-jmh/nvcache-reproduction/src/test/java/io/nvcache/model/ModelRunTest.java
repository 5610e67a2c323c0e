// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.device.DeviceParameters;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import org.junit.jupiter.api.Test;

class ModelRunTest {
  private static final int SCALE = 2000;

  /** Table 1's load, for as long as it takes to see the difference. */
  private static final Workload BTREE =
      Workloads.EVICT_BTREE.sized("evict-btree-large", 120, 0).drifting(0.15).lasting(20);

  private static RunResult run(Workload load, ModelSystem system, ModelParameters parameters) {
    return run(load, system, parameters, 1);
  }

  private static RunResult run(
      Workload load, ModelSystem system, ModelParameters parameters, long seed) {
    double nvram = system.equals(Systems.NONE) ? 0 : 53;
    return ModelRun.run(new Scenario(load, system, 16, nvram, 0, parameters, SCALE, seed));
  }

  private static double eagerAgainstNone(ModelParameters parameters) {
    return run(BTREE, Systems.EAGER, parameters).throughput()
        / run(BTREE, Systems.ALLOC_READ_WRITE, parameters).throughput();
  }

  private static ModelParameters medium(double writeFactor, double interference) {
    DeviceParameters optane = ModelParameters.PAPER.nvram();
    return ModelParameters.PAPER.withNvram(
        new DeviceParameters(
            optane.readBandwidth(),
            optane.readerBandwidth(),
            writeFactor * optane.writerBandwidth(),
            optane.fullSpeedWriters(),
            optane.writerCrowding(),
            interference,
            interference));
  }

  @Test
  void shouldGiveTheSameResultToTheLastBit() {
    Workload load = Workloads.B.lasting(5);

    for (ModelSystem system : Systems.all()) {
      RunResult first = run(load, system, ModelParameters.PAPER);
      assertThat(run(load, system, ModelParameters.PAPER)).as(system.name()).isEqualTo(first);
      assertThat(first.throughput()).as(system.name()).isPositive();
    }
    assertThat(run(load, Systems.PAPER, ModelParameters.PAPER, 2))
        .isNotEqualTo(run(load, Systems.PAPER, ModelParameters.PAPER, 1));
  }

  @Test
  void shouldLoseMostOfTheThroughputToEagerEvictionBecauseOfTheMedium() {
    assertThat(eagerAgainstNone(ModelParameters.PAPER)).isBetween(0.25, 0.55);
  }

  @Test
  void shouldLoseNothingToEagerEvictionWhereWritesAreFastAndDisturbNobody() {
    assertThat(eagerAgainstNone(medium(10, 0))).isGreaterThan(0.9);
  }

  @Test
  void shouldLoseNothingToEagerEvictionWhereWritesAreFastThoughTheyDisturb() {
    assertThat(eagerAgainstNone(medium(10, 1))).isGreaterThan(0.9);
  }

  /**
   * Interference makes the loss larger; slow writes alone, which clients wait for, are half of it.
   */
  @Test
  void shouldStillLoseToEagerEvictionWhereSlowWritesDisturbNobody() {
    assertThat(eagerAgainstNone(medium(1, 0)))
        .isGreaterThan(1.3 * eagerAgainstNone(ModelParameters.PAPER))
        .isBetween(0.45, 0.75);
  }

  @Test
  void shouldWaitForNvramWithEagerEvictionAndForTheDiskWithout() {
    RunResult eager = run(BTREE, Systems.EAGER, ModelParameters.PAPER);
    RunResult none = run(BTREE, Systems.ALLOC_READ_WRITE, ModelParameters.PAPER);

    assertThat(eager.isNvramBound()).as("%s", eager).isTrue();
    assertThat(eager.isDiskBound()).isFalse();
    assertThat(none.isDiskBound()).as("%s", none).isTrue();
    assertThat(eager.nvramWrittenGb()).isGreaterThan(5 * none.nvramWrittenGb());
  }

  @Test
  void shouldKeepThePapersCacheWithinItsOverheadTarget() {
    RunResult run = run(Workloads.STRESS_MULTI.lasting(10), Systems.PAPER, ModelParameters.PAPER);

    assertThat((run.insertedBlocks() + run.removedBlocks()) / run.lookups())
        .isBetween(0.08, 0.111); // In whole percents, and the block that goes over.
  }

  @Test
  void shouldAdmitNothingOnReadsInDmWritecache() {
    ModelSystem system =
        Systems.all().stream()
            .filter(s -> s.name().equals("dm-writecache"))
            .findFirst()
            .orElseThrow();

    RunResult run = run(Workloads.C.lasting(5), system, ModelParameters.PAPER);

    assertThat(run.insertedBlocks()).isZero();
    assertThat(run.nvramWrittenGb()).isZero();
  }
}
