// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.writelog.Propagation;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CrashRunTest {
  /** Some seconds; the million of the reliability page is a property away. */
  private static final long CRASHES = Long.getLong("nvcache.test.crashes", 10_000);

  /** The rarest fault shows once in some thousand crashes. */
  private static final long CRASHES_OF_A_FAULT = 100_000;

  private static final long SEED_OF_FAULTS = 50_000;

  @ParameterizedTest
  @EnumSource
  void shouldLoseNothingInAnyCrash(Propagation propagation) {
    long seed = Long.getLong("nvcache.test.seed", System.nanoTime());
    CrashReport report =
        new CrashRun(seed, PlantedFault.NONE, propagation).run(CRASHES, () -> false);
    assertThat(report.findings()).as("seed %d", seed).isEmpty();
    assertThat(report.isClean()).isTrue();
    assertThat(report.crashes()).isEqualTo(CRASHES);
    assertThat(report.recoveryCrashes()).as("crashes of recoveries").isPositive();
    assertThat(report.records()).as("replayed records").isPositive();
    assertThat(report.reads()).as("compared reads").isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void shouldRepeatARunBySeed(Propagation propagation) {
    CrashReport first = new CrashRun(7, PlantedFault.NONE, propagation).run(300, () -> false);
    CrashReport second = new CrashRun(7, PlantedFault.NONE, propagation).run(300, () -> false);
    assertThat(second).isEqualTo(first);
  }

  @Test
  void shouldEndWhenAsked() {
    CrashReport report =
        new CrashRun(7, PlantedFault.NONE, Propagation.ON_WRITE).run(Long.MAX_VALUE, () -> true);
    assertThat(report.crashes()).isZero();
  }

  static Stream<Arguments> faults() {
    return Stream.of(Propagation.values())
        .flatMap(
            propagation ->
                Stream.of(PlantedFault.values())
                    .filter(fault -> fault != PlantedFault.NONE)
                    .filter(fault -> !fault.isOfNames() && fault.isPossible(propagation))
                    .map(fault -> Arguments.of(fault, propagation)));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void shouldCatchAPlantedFault(PlantedFault fault, Propagation propagation) {
    CrashReport report =
        new CrashRun(SEED_OF_FAULTS, fault, propagation).run(CRASHES_OF_A_FAULT, () -> false);
    assertThat(report.isClean()).as("%s in %d crashes", fault, report.crashes()).isFalse();
  }
}
