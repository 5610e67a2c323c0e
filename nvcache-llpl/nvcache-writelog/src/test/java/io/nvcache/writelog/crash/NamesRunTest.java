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

class NamesRunTest {
  /** A second or two; the nightly run has a hundred thousand. */
  private static final long CRASHES = Long.getLong("nvcache.test.nameCrashes", 800);

  /** The rarest fault shows once in a thousand crashes. */
  private static final long CRASHES_OF_A_FAULT = 20_000;

  @ParameterizedTest
  @EnumSource
  void shouldFindEachFileByItsNames(Propagation propagation) {
    long seed = Long.getLong("nvcache.test.seed", System.nanoTime());
    System.out.println("names past the log, " + propagation + ": -Dnvcache.test.seed=" + seed);
    CrashReport report =
        new NamesRun(seed, PlantedFault.NONE, propagation).run(CRASHES, () -> false);
    assertThat(report.findings()).as("seed %d", seed).isEmpty();
    assertThat(report.crashes()).isEqualTo(CRASHES);
    assertThat(report.recoveryCrashes()).as("crashes of recoveries").isPositive();
    assertThat(report.records()).as("replayed records").isPositive();
  }

  @Test
  void shouldRepeatARunBySeed() {
    CrashReport first =
        new NamesRun(7, PlantedFault.NONE, Propagation.DEFERRED).run(100, () -> false);
    CrashReport second =
        new NamesRun(7, PlantedFault.NONE, Propagation.DEFERRED).run(100, () -> false);
    assertThat(second).isEqualTo(first);
  }

  static Stream<Arguments> faults() {
    return Stream.of(Propagation.values())
        .flatMap(
            propagation ->
                Stream.of(PlantedFault.values())
                    .filter(
                        fault -> fault == PlantedFault.DIRECTORY_SYNC_LEFT_OUT || fault.isOfNames())
                    .filter(fault -> fault.isPossible(propagation))
                    .map(fault -> Arguments.of(fault, propagation)));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void shouldCatchAPlantedFault(PlantedFault fault, Propagation propagation) {
    CrashReport report = new NamesRun(1, fault, propagation).run(CRASHES_OF_A_FAULT, () -> false);
    assertThat(report.isClean()).as("%s in %d crashes", fault, report.crashes()).isFalse();
  }
}
