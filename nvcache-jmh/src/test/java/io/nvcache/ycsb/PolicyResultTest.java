// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PolicyResultTest {
  private final PolicyResult none = result(PolicyChoice.NONE, 1000, 2000, 1500);
  private final PolicyResult paper = result(PolicyChoice.PAPER, 1200, 3000, 1650);

  @Test
  void shouldTakeMedianOverRounds() {
    assertThat(none.throughput()).isEqualTo(1500);
    assertThat(result(PolicyChoice.NONE, 1000, 2000).throughput()).isEqualTo(1500);
  }

  @Test
  void shouldTakeRatiosRoundByRound() {
    WorkloadResult workload = new WorkloadResult(WorkloadChoice.C, List.of(none, paper));

    assertThat(workload.ratioToNone(paper)).isCloseTo(1.2, within(1e-9));
    assertThat(workload.ratioToNone(none)).isEqualTo(1);
  }

  @Test
  void shouldKnowNoRatioWithoutBaseline() {
    assertThat(new WorkloadResult(WorkloadChoice.C, List.of(paper)).ratioToNone(paper)).isNaN();
  }

  @Test
  void shouldTellHowFarRoundsLieApart() {
    assertThat(none.throughputSpread()).isCloseTo(1000 / 1500.0, within(1e-9));
    assertThat(result(PolicyChoice.NONE, 1000).throughputSpread()).isNaN();
  }

  @Test
  void shouldMergeLatenciesOfAllRounds() {
    assertThat(none.latencyMicros(Operation.READ, 100)).isCloseTo(3, within(0.01));
    assertThat(none.latencyMicros(Operation.READ, 1)).isCloseTo(1, within(0.01));
    assertThat(none.latencyMicros(Operation.SCAN, 50)).isNaN();
  }

  @Test
  void shouldRefuseToBeWithoutRuns() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PolicyResult(PolicyChoice.PAPER, List.of()))
        .withMessage("policy paper has no runs");
  }

  private static PolicyResult result(PolicyChoice policy, int... throughputs) {
    return new PolicyResult(
        policy,
        IntStream.range(0, throughputs.length)
            .mapToObj(round -> run(policy, round + 1, throughputs[round]))
            .toList());
  }

  private static RunResult run(PolicyChoice policy, int round, int throughput) {
    Histogram reads = new Histogram(3);
    reads.recordValue(round * 1000L);
    Counters counters = new Counters(throughput * 10L, 0, 0, 0, Map.of(), 0, 0, 0, 0);
    return new RunResult(
        policy, round, 3, 10, counters, Map.of(Operation.READ, reads), List.of(), 1, 0, 0, false);
  }
}
