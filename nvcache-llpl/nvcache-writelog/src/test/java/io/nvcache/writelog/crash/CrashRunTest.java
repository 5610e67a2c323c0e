// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CrashRunTest {
  /** Some seconds; the million of the reliability page is a property away. */
  private static final long CRASHES = Long.getLong("nvcache.test.crashes", 10_000);

  /** The rarest fault shows once in some thousand crashes. */
  private static final long CRASHES_OF_A_FAULT = 100_000;

  @Test
  void shouldLoseNothingInAnyCrash() {
    long seed = Long.getLong("nvcache.test.seed", System.nanoTime());
    CrashReport report = new CrashRun(seed, PlantedFault.NONE).run(CRASHES, () -> false);
    assertThat(report.findings()).as("seed %d", seed).isEmpty();
    assertThat(report.isClean()).isTrue();
    assertThat(report.crashes()).isEqualTo(CRASHES);
    assertThat(report.recoveryCrashes()).as("crashes of recoveries").isPositive();
    assertThat(report.records()).as("replayed records").isPositive();
  }

  @Test
  void shouldRepeatARunBySeed() {
    CrashReport first = new CrashRun(7, PlantedFault.NONE).run(300, () -> false);
    CrashReport second = new CrashRun(7, PlantedFault.NONE).run(300, () -> false);
    assertThat(second).isEqualTo(first);
  }

  @Test
  void shouldEndWhenAsked() {
    CrashReport report = new CrashRun(7, PlantedFault.NONE).run(Long.MAX_VALUE, () -> true);
    assertThat(report.crashes()).isZero();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void shouldCatchAPlantedFault(PlantedFault fault) {
    CrashReport report = new CrashRun(1, fault).run(CRASHES_OF_A_FAULT, () -> false);
    assertThat(report.isClean()).as("%s in %d crashes", fault, report.crashes()).isFalse();
  }
}
