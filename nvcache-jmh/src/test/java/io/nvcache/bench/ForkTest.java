// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.report.JsonRecords;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a fork does, done in this JVM: small, for the figures mean nothing here. */
class ForkTest {
  private static List<JsonRecords.Entry> run(
      ForkPlan.Task task, ContenderKind kind, int blocks, String... cells) {
    List<JsonRecords.Entry> records = new ArrayList<>();
    List<Cell> parsed = List.of(cells).stream().map(Cell::parse).toList();
    Fork.run(new ForkPlan(task, kind, 4096, blocks, 20, 42, parsed), records::add);
    return records;
  }

  private static double value(List<JsonRecords.Entry> records, String metric, String op) {
    return records.stream()
        .filter(r -> r.metric().equals(metric) && op.equals(r.labels().getOrDefault("op", "")))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + metric + " of " + op + " in " + records))
        .value();
  }

  @Test
  void shouldMeasureEveryOperation() {
    List<JsonRecords.Entry> records =
        run(
            ForkPlan.Task.CELLS,
            ContenderKind.NVCACHE,
            2000,
            "insert/direct/uniform/2",
            "hit-copy/heap/uniform/1",
            "hit-touch/heap/zipfian/1",
            "miss/heap/uniform/1",
            "replace/direct/uniform/1");

    for (String op : List.of("hit_copy", "hit_touch", "miss", "replace", "insert")) {
      assertThat(value(records, op + "_ratio_to_raw", op)).isPositive();
      assertThat(value(records, "raw_self_ratio", op)).isPositive();
      assertThat(value(records, "alloc_bytes_per_op", op)).isNotNegative();
    }
    assertThat(value(records, "found_ratio", "hit_copy")).isEqualTo(1);
    assertThat(value(records, "found_ratio", "hit_touch")).isEqualTo(1);
    assertThat(value(records, "insert_retained_ratio", "insert")).isGreaterThan(0.5);
    assertThat(records)
        .allSatisfy(
            record ->
                assertThat(record.labels())
                    .containsKeys("impl", "blockBytes", "dist", "threads", "jdk", "entries"));
  }

  @Test
  void shouldLeaveOutWhatACacheCannotDo() {
    List<JsonRecords.Entry> records =
        run(ForkPlan.Task.CELLS, ContenderKind.EHCACHE, 200, "hit-touch/heap/uniform/1");

    assertThat(records).isEmpty();
  }

  @Test
  void shouldFollowChainsOfLookups() {
    List<JsonRecords.Entry> records = run(ForkPlan.Task.INDEX, ContenderKind.NVCACHE, 20_000);

    assertThat(value(records, "index_lookup_ratio_to_dram_read", "index_lookup")).isPositive();
    assertThat(value(records, "lookup_ratio_to_dram_read", "lookup")).isPositive();
  }

  @Test
  void shouldWeighTheCache() {
    List<JsonRecords.Entry> records = run(ForkPlan.Task.MEMORY, ContenderKind.NVCACHE, 2000);

    // An index at four fifths, 16 bytes for each slot.
    assertThat(value(records, "dram_bytes_per_block", "")).isBetween(20.0, 60.0);
  }
}
