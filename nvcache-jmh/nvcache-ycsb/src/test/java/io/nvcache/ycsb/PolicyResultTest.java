// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.device.MediumChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PolicyResultTest {
  private static final double DISK_WAIT_MICROS = 100;

  /** As slow as told in each round: other programs slow all down in the same rounds. */
  private static final double[] LOAD = {1, 5, 1, 3, 1, 9, 2, 1, 4, 1};

  private final PolicyResult none = result(PolicyChoice.NONE, 60, 0, scaled(1));

  @Test
  void shouldTakeMedianOverRounds() {
    assertThat(result(PolicyChoice.NONE, 10, 0, 1, 3, 2).median(Turn::seconds)).isEqualTo(2);
    assertThat(result(PolicyChoice.NONE, 10, 0, 1, 2).median(Turn::seconds)).isEqualTo(1.5);
  }

  @Test
  void shouldAddProcessorDiskAndEmulatedMediumToTheTimeOfAnOperation() {
    PolicyResult paper = result(PolicyChoice.PAPER, 40, 20, scaled(1));

    // 1,000 operations, 500 disk reads: 40 µs of processor, 20 of the medium, 50 of the disk.
    assertThat(workload(none, paper).serviceMicros(paper)).isCloseTo(110, within(1e-9));
  }

  @Test
  void shouldNotLetTheClockDecideWhoIsFaster() {
    PolicyResult unlucky = result(PolicyChoice.PAPER, 40, 0, scaled(3));

    PairedRatio speed = workload(none, unlucky).speedToNone(unlucky).orElseThrow();

    assertThat(speed.median()).isCloseTo(110.0 / 90, within(1e-9));
    assertThat(speed.isClear()).isTrue();
    assertThat(unlucky.throughput()).isLessThan(none.throughput());
  }

  @Test
  void shouldTakeRatiosRoundByRound() {
    PolicyResult paper = result(PolicyChoice.PAPER, 60, 0, scaled(0.8));

    PairedRatio ratio = workload(none, paper).throughputToNone(paper).orElseThrow();

    assertThat(ratio.median()).isCloseTo(1.25, within(1e-9));
    assertThat(ratio.low()).isCloseTo(1.25, within(1e-9));
    assertThat(ratio.high()).isCloseTo(1.25, within(1e-9));
  }

  @Test
  void shouldKnowNoRatioWithoutBaseline() {
    assertThat(workload(result(PolicyChoice.PAPER, 1, 0, 1)).speedToNone(none)).isEmpty();
  }

  @Test
  void shouldCallNothingClearThatRoundsDisagreeAbout() {
    assertThat(PairedRatio.of(1.4, 0.63, 1.3, 0.9, 1.2, 0.8, 1.1, 0.7).isClear()).isFalse();
    assertThat(PairedRatio.of(1.4, 1.3, 1.2, 1.3, 1.4, 1.2, 1.1, 1.3).isClear()).isTrue();
    assertThat(PairedRatio.of(0.8, 0.7, 0.9, 0.8, 0.7, 0.8, 0.9, 0.8).isClear()).isTrue();
  }

  @Test
  void shouldCallNothingClearThatIsNearOneOrHasFewRounds() {
    assertThat(PairedRatio.of(1.07, 1.07, 1.07, 1.07, 1.07, 1.07, 1.07).isClear()).isFalse();
    assertThat(PairedRatio.of(1.5, 1.5, 1.5, 1.5, 1.5).isClear()).isFalse();
    assertThat(PairedRatio.of(1.5, 1.5, 1.5, 1.5, 1.5, 1.5).isClear()).isTrue();
    assertThat(PairedRatio.of().isClear()).isFalse();
  }

  @Test
  void shouldSayWhereTheMedianLiesByRanks() {
    double[] hundred = IntStream.rangeClosed(1, 100).asDoubleStream().toArray();

    // (100 - 1.96 · 10) / 2 = 40.2: from the 41st value to the 60th.
    assertThat(PairedRatio.of(hundred)).isEqualTo(new PairedRatio(41, 50.5, 60));
  }

  @Test
  void shouldRankPoliciesAndDeclareTies() {
    PolicyResult all = result(PolicyChoice.ADMIT_ALL, 90, 0, scaled(1));
    PolicyResult paper = result(PolicyChoice.PAPER, 30.5, 0, scaled(1));
    PolicyResult ours = result(PolicyChoice.DEFAULT, 30, 0, scaled(1));

    assertThat(workload(none, all, paper, ours).ranks())
        .containsExactly(List.of(ours, paper), List.of(none), List.of(all));
  }

  @Test
  void shouldRankByRoundsWhereMediansOfTimesSayOtherwise() {
    PolicyResult slower = timed(PolicyChoice.PAPER, 11, 11, 11, 20, 110, 110, 110);
    PolicyResult faster = timed(PolicyChoice.DEFAULT, 10, 10, 10, 25, 100, 100, 100);
    WorkloadResult both = workload(slower, faster);

    assertThat(both.serviceMicros(slower)).isLessThan(both.serviceMicros(faster));
    assertThat(both.ranks()).containsExactly(List.of(faster), List.of(slower));
  }

  @Test
  void shouldTellHowFarTurnsLieApartByTheClock() {
    PolicyResult turns = result(PolicyChoice.NONE, 1, 0, 1, 0.5, 0.25, 0.2, 0.1);

    assertThat(turns.throughputSpread()).isCloseTo(3000.0 / 4000, within(1e-9));
  }

  @Test
  void shouldKnowLatenciesOfWhatOccurred() {
    assertThat(none.latencyMicros(StoreCall.READ, 100)).isCloseTo(3, within(0.01));
    assertThat(none.latencyMicros(StoreCall.SCAN, 50)).isNaN();
  }

  @Test
  void shouldRefuseToBeWithoutTurns() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> result(PolicyChoice.PAPER, 1, 0))
        .withMessage("policy paper has no turns");
  }

  private static double[] scaled(double factor) {
    return DoubleStream.of(LOAD).map(load -> factor * load).toArray();
  }

  private static WorkloadResult workload(PolicyResult... policies) {
    return new WorkloadResult(
        WorkloadChoice.C, MediumChoice.NATIVE, DISK_WAIT_MICROS, List.of(policies));
  }

  /** Three times as many turns, without disk reads, whose operations take these times by turns. */
  private static PolicyResult timed(PolicyChoice policy, double... micros) {
    Counters counters = new Counters(1000, 0, 0, 0, Map.of(), 0, 0, 0, 0, 0, 0);
    List<Turn> turns =
        IntStream.range(0, 3 * micros.length)
            .mapToObj(i -> new Turn(i + 1, 1, counters, micros[i % micros.length] / 1000, 0))
            .toList();
    return new PolicyResult(policy, 3, turns, Map.of(), List.of(), 1, 0, 0, false);
  }

  /** Turns of 1,000 operations and 500 disk reads. */
  private static PolicyResult result(
      PolicyChoice policy, double processorMicros, double mediumMicros, double... seconds) {
    Histogram reads = new Histogram(3);
    reads.recordValue(3000);
    Counters counters = new Counters(1000, 0, 0, 0, Map.of(), 0, 0, 500, 0, 0, 0);
    List<Turn> turns = new ArrayList<>();
    for (double length : seconds) {
      turns.add(
          new Turn(
              turns.size() + 1, length, counters, processorMicros / 1000, mediumMicros / 1000));
    }
    return new PolicyResult(
        policy, 3, turns, Map.of(StoreCall.READ, reads), List.of(), 1, 0, 0, false);
  }
}
