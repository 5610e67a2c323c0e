// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.device.MediumChoice;
import io.nvcache.report.JsonRecords.Entry;
import io.nvcache.ycsb.store.DirectIoStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YcsbRecordsTest {
  @Test
  void shouldRecordEveryFigureOfPolicyWithItsLabels() {
    List<Entry> records = YcsbRecords.of(SampleResults.onDisk()).records();

    Entry hits = only(records, "hit_ratio", "paper");
    assertThat(hits.value()).isEqualTo(0.25);
    assertThat(hits.unit()).isEqualTo("ratio");
    assertThat(hits.labels())
        .containsOnly(
            Map.entry("workload", "C"),
            Map.entry("policy", "paper"),
            Map.entry("medium", "emulated-nvram"),
            Map.entry("distribution", "zipfian"),
            Map.entry("threads", "4"),
            Map.entry("budget", "0.1"));
    assertThat(only(records, "throughput", "paper").value()).isEqualTo(1500);
    assertThat(only(records, "throughput_to_none", "paper").value()).isEqualTo(1.5);
    assertThat(only(records, "service_time", "none").value()).isCloseTo(120, within(1e-9));
    for (String speed : List.of("speed_to_none", "speed_to_none_low", "speed_to_none_high")) {
      assertThat(only(records, speed, "paper").value()).isCloseTo(1.44, within(1e-9));
    }
    assertThat(only(records, "speed_to_none_clear", "paper").value()).isEqualTo(1);
    assertThat(only(records, "speed_to_none_clear", "none").value()).isZero();
    assertThat(only(records, "rank", "paper").value()).isEqualTo(1);
    assertThat(only(records, "rank", "none").value()).isEqualTo(2);
    assertThat(only(records, "rounds", "none").value()).isEqualTo(7);
    assertThat(only(records, "writes_per_lookup", "paper").value()).isEqualTo(0.1);
    assertThat(only(records, "wrong_values", "paper").value()).isZero();
    assertThat(only(records, "verified_reads", "none").value()).isEqualTo(10_000);
  }

  @Test
  void shouldLeaveOutWhatPolicyDoesNotHave() {
    List<Entry> records = YcsbRecords.of(SampleResults.onDisk()).records();

    assertThat(records)
        .noneMatch(
            entry ->
                entry.metric().equals("hit_ratio") && "none".equals(entry.labels().get("policy")));
  }

  @Test
  void shouldTellOffersByOutcomeAndLatenciesByPercentile() {
    List<Entry> records = YcsbRecords.of(SampleResults.onDisk()).records();

    assertThat(records)
        .filteredOn(entry -> entry.metric().equals("offers"))
        .extracting(entry -> entry.labels().get("outcome") + " " + entry.value())
        .containsExactlyInAnyOrder("admitted 700.0", "bypassed_overhead 4550.0");
    assertThat(records)
        .filteredOn(entry -> entry.metric().equals("latency"))
        .filteredOn(entry -> "paper".equals(entry.labels().get("policy")))
        .extracting(
            entry -> entry.labels().get("operation") + " " + entry.labels().get("percentile"))
        .containsExactly("read 50", "read 99", "read 99.9");
  }

  @Test
  void shouldTellWhetherDirectIoWasRefused() {
    List<Entry> records =
        YcsbRecords.of(
                SampleResults.on(
                    MediumChoice.NATIVE,
                    new DirectIoStatus(DirectIoStatus.Mode.REFUSED, "not on this file system")))
            .records();

    assertThat(records)
        .filteredOn(entry -> entry.metric().equals("direct_io"))
        .singleElement()
        .satisfies(entry -> assertThat(entry.value()).isZero());
  }

  private static Entry only(List<Entry> records, String metric, String policy) {
    List<Entry> found =
        records.stream()
            .filter(entry -> entry.metric().equals(metric))
            .filter(entry -> policy.equals(entry.labels().get("policy")))
            .toList();
    assertThat(found).as("%s of %s", metric, policy).hasSize(1);
    return found.get(0);
  }
}
