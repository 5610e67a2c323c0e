// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.device.MediumChoice;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.Counters;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.Turn;
import io.nvcache.ycsb.WorkloadChoice;
import io.nvcache.ycsb.WorkloadResult;
import io.nvcache.ycsb.YcsbSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private final WorkloadResult native1 =
      workload(MediumChoice.NATIVE, none(100), paper(90), ours(70, 72), everything(71, 70));
  private final WorkloadResult nvram =
      workload(MediumChoice.EMULATED_NVRAM, none(100), paper(90), ours(80), everything(120));

  @Test
  void shouldNameTiesInOneOrderWhoeverCameFirst() {
    assertThat(Verdict.of(native1))
        .containsExactly(
            "fastest first: admit-all = default > paper > none",
            "default against admit-all: no clear difference (0.97–1.01)");
  }

  @Test
  void shouldSayWhatAdmissionIsWorthWhereItIsClear() {
    assertThat(Verdict.of(nvram))
        .containsExactly(
            "fastest first: default > paper > none > admit-all",
            "default against admit-all: 1.50 × (1.50–1.50)");
  }

  @Test
  void shouldSayWhereTheGainIs() {
    assertThat(Verdict.best(result(native1, nvram)))
        .satisfiesExactly(
            first ->
                assertThat(first).startsWith("A second tier gained most here in YCSB C on native"),
            second ->
                assertThat(second)
                    .isEqualTo(
                        "What is admitted matters most in YCSB C on emulated NVRAM with default:"
                            + " 1.50 × the speed of admit-all."));
  }

  @Test
  void shouldSayThatThereIsNoGain() {
    WorkloadResult none =
        workload(MediumChoice.NATIVE, none(100), paper(101), ours(99), everything(100));

    assertThat(Verdict.best(result(none)))
        .satisfiesExactly(
            first -> assertThat(first).startsWith("No gain"),
            second -> assertThat(second).startsWith("Admitting everything is as good"));
  }

  private static BenchmarkResult result(WorkloadResult... workloads) {
    BenchmarkResult sample = SampleResults.onDisk();
    YcsbSettings settings = sample.settings();
    return new BenchmarkResult(
        new YcsbSettings(
            settings.workloads(),
            List.of(PolicyChoice.values()),
            settings.distribution(),
            settings.data(),
            settings.cache(),
            settings.run(),
            settings.directory()),
        sample.store(),
        List.of(workloads),
        false);
  }

  private static WorkloadResult workload(MediumChoice medium, PolicyResult... policies) {
    return new WorkloadResult(WorkloadChoice.C, medium, 0, List.of(policies));
  }

  private static PolicyResult none(double... micros) {
    return policy(PolicyChoice.NONE, micros);
  }

  private static PolicyResult paper(double... micros) {
    return policy(PolicyChoice.PAPER, micros);
  }

  private static PolicyResult ours(double... micros) {
    return policy(PolicyChoice.DEFAULT, micros);
  }

  private static PolicyResult everything(double... micros) {
    return policy(PolicyChoice.ADMIT_ALL, micros);
  }

  /** Ten turns whose operations take these times by turns. */
  private static PolicyResult policy(PolicyChoice policy, double... micros) {
    Counters counters = new Counters(1000, 0, 0, 0, Map.of(), 0, 0, 0, 0, 0, 0);
    List<Turn> turns = new ArrayList<>();
    for (int round = 1; round <= 10; round++) {
      turns.add(new Turn(round, 1, counters, micros[round % micros.length] / 1000, 0));
    }
    return new PolicyResult(policy, 0, turns, Map.of(), List.of(), 0, 0, 0, false);
  }
}
