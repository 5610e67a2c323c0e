// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.bench.contender.Contender;
import io.nvcache.bench.contender.ContenderKind;
import io.nvcache.bench.contender.Region;
import io.nvcache.bench.sample.Emitter;
import io.nvcache.report.JsonRecords;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a fork does, done in this JVM: small, because the figures mean nothing here. */
class ForkTest {
  private static List<JsonRecords.Entry> run(
      ForkPlan.Task task, ContenderKind kind, int blocks, String... cells) {
    List<JsonRecords.Entry> records = new ArrayList<>();
    List<Cell> parsed = List.of(cells).stream().map(Cell::parse).toList();
    Fork.run(plan(task, kind, blocks, parsed.toArray(Cell[]::new)), records::add);
    return records;
  }

  private static ForkPlan plan(ForkPlan.Task task, ContenderKind kind, int blocks, Cell... cells) {
    return plan(task, kind, 4096, blocks, cells);
  }

  private static ForkPlan plan(
      ForkPlan.Task task, ContenderKind kind, int blockBytes, int blocks, Cell... cells) {
    return new ForkPlan(task, kind, blockBytes, blocks, 20, 42, HugePages.DEFAULT, List.of(cells));
  }

  private static double value(List<JsonRecords.Entry> records, String metric, String op) {
    return records.stream()
        .filter(r -> r.metric().equals(metric) && op.equals(r.labels().getOrDefault("op", "")))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + metric + " of " + op))
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
            "miss-file/heap/uniform/1",
            "replace/direct/uniform/1",
            "hit-copy/heap/hot/2");

    for (String op : List.of("hit_copy", "hit_touch", "miss", "miss_file", "replace", "insert")) {
      assertThat(value(records, op + "_ratio_to_raw", op)).isPositive();
      assertThat(value(records, "raw_self_ratio", op)).isPositive();
      assertThat(value(records, "alloc_bytes_per_op", op)).isNotNegative();
    }
    assertThat(value(records, "found_ratio", "hit_copy")).isEqualTo(1);
    assertThat(value(records, "found_ratio", "hit_touch")).isEqualTo(1);
    assertThat(value(records, "insert_retained_ratio", "insert")).isGreaterThan(0.5);
    assertThat(value(records, "replace_retained_ratio", "replace")).isGreaterThan(0.9);
    assertThat(value(records, "together_ratio_to_alone", "hit_copy")).isPositive();
    assertThat(value(records, "background_cpu_nanos", "replace")).isNotNegative();
    assertThat(records)
        .filteredOn(record -> !record.metric().equals("huge_page_share"))
        .allSatisfy(
            record ->
                assertThat(record.labels())
                    .containsKeys("impl", "blockBytes", "dist", "threads", "jdk", "entries"));
  }

  @Test
  void shouldTellWhatTheOrderOfCopyingIsWorth() {
    Cell hits = Cell.parse("hit-copy/heap/uniform/1");
    Cell inserts = Cell.parse("insert/direct/uniform/1");
    List<JsonRecords.Entry> records = new ArrayList<>();
    Fork.run(
        plan(ForkPlan.Task.CELLS, ContenderKind.NVCACHE, 16384, 500, hits, inserts), records::add);
    List<JsonRecords.Entry> shorter =
        run(ForkPlan.Task.CELLS, ContenderKind.NVCACHE, 500, hits.toString());

    assertThat(value(records, "raw_streams_ratio_to_raw", "hit_copy")).isPositive();
    assertThat(value(records, "raw_streams_ratio_to_raw", "insert")).isPositive();
    assertThat(value(records, "copies_ratio_to_better_order", "hit_copy")).isPositive();
    assertThat(value(records, "copies_ratio_to_better_order", "insert")).isPositive();
    assertThat(value(shorter, "copies_ratio_to_better_order", "hit_copy")).isPositive();
  }

  @Test
  void shouldLeaveOutWhatACacheCannotDo() {
    List<JsonRecords.Entry> records =
        run(ForkPlan.Task.CELLS, ContenderKind.EHCACHE, 200, "hit-touch/heap/uniform/1");

    assertThat(records).extracting(JsonRecords.Entry::metric).containsOnly("huge_page_share");
  }

  @Test
  void shouldNotTellTimesOfLookupsThatMiss() {
    List<JsonRecords.Entry> records = new ArrayList<>();
    ForkPlan plan = plan(ForkPlan.Task.CELLS, ContenderKind.NVCACHE, 500);
    try (Limit limit = new Limit(Region.NATIVE, 4096, 500);
        Contender contender = ContenderKind.NVCACHE.open(4096, 600)) {
      int[] supposed = Loader.load(contender, 4096, 250);
      supposed[7] = 400;
      new CellRun(contender, limit, plan, supposed, new Emitter(plan.labels(), records::add))
          .run(Cell.parse("hit-copy/heap/uniform/1"));
    }

    assertThat(value(records, "found_ratio", "hit_copy")).isBetween(0.9, 0.998);
    assertThat(records).extracting(JsonRecords.Entry::metric).containsOnly("found_ratio");
  }

  @Test
  void shouldTellHowLongSingleInsertsTake() {
    List<JsonRecords.Entry> records = run(ForkPlan.Task.LATENCY, ContenderKind.NVCACHE, 500);

    double[] latencies =
        records.stream()
            .filter(record -> record.metric().equals("insert_latency"))
            .mapToDouble(JsonRecords.Entry::value)
            .toArray();
    assertThat(latencies).as("p50, p99, p99.9, p99.99, longest").hasSize(5).isSorted();
    assertThat(latencies[0]).isPositive();
    assertThat(value(records, "insert_without_copy_ratio_to_raw", "insert")).isPositive();
  }

  @Test
  void shouldFollowChainsOfLookups() {
    List<JsonRecords.Entry> records = run(ForkPlan.Task.INDEX, ContenderKind.NVCACHE, 20_000);

    assertThat(value(records, "index_miss_ratio_to_dram_read", "index_miss")).isPositive();
    assertThat(value(records, "index_bytes_per_entry", "index_lookup")).isBetween(5.0, 40.0);
    assertThat(records)
        .filteredOn(record -> record.metric().equals("index_refused_ratio"))
        .extracting(JsonRecords.Entry::value)
        .as("of entries refused at loads from 0.70 to 1.00")
        .isSorted()
        .hasSize(6)
        .allMatch(refused -> refused < 0.2);

    assertThat(value(records, "index_lookup_ratio_to_dram_read", "index_lookup")).isPositive();
    assertThat(value(records, "lookup_ratio_to_dram_read", "lookup")).isPositive();
  }

  @Test
  void shouldTellWhatShadowsCost() {
    List<JsonRecords.Entry> records = run(ForkPlan.Task.SHADOWS, ContenderKind.NVCACHE, 200);

    assertThat(records)
        .filteredOn(record -> record.metric().equals("shadowed_hit_ratio_to_plain"))
        .as("without shadows, and with two samples")
        .extracting(record -> record.labels().get("sample"))
        .containsExactly("0", "0.001", "0.010");
    assertThat(value(records, "shadowed_hit_ratio_to_plain", "shadowed_hit")).isPositive();
  }

  @Test
  void shouldWeighTheCache() {
    List<JsonRecords.Entry> records = run(ForkPlan.Task.MEMORY, ContenderKind.NVCACHE, 2000);

    // The index and the allocator's bytes.
    assertThat(value(records, "metadata_bytes_per_block", "")).isBetween(5.0, 60.0);
    assertThat(value(records, "default_policy_metadata_bytes_per_block", ""))
        .as("with a history of the keys")
        .isGreaterThan(value(records, "metadata_bytes_per_block", "") + 6);
    assertThat(value(records, "heap_objects_per_block", "")).isLessThan(1);
    assertThat(records)
        .filteredOn(record -> record.metric().equals("gc_pause_ms_per_gib"))
        .extracting(record -> record.labels().get("entries").equals("0"))
        .as("measured with an empty cache, and with a full one")
        .contains(true, false);
  }
}
