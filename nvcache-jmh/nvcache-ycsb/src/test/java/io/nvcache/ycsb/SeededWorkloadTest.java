// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.device.MediumChoice;
import io.nvcache.hbase.compaction.CompactionOutputs;
import io.nvcache.ycsb.WorkloadChoice.Distribution;
import io.nvcache.ycsb.store.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import site.ycsb.Utils;

class SeededWorkloadTest {
  private static final int RECORDS = 1000;
  private static final int OPERATIONS = 20_000;

  @ParameterizedTest
  @EnumSource(WorkloadChoice.class)
  void shouldRepeatItsOperations(WorkloadChoice choice) throws Exception {
    List<String> first = run(choice, null, 5, 1000);

    assertThat(run(choice, null, 5, 1000)).isEqualTo(first);
    assertThat(run(choice, null, 6, 1000)).isNotEqualTo(first);
  }

  @ParameterizedTest
  @EnumSource(WorkloadChoice.class)
  void shouldMixOperationsAsYcsbDefinesThem(WorkloadChoice choice) throws Exception {
    Map<String, Long> counts =
        run(choice, null, 1, OPERATIONS).stream()
            .collect(Collectors.groupingBy(call -> call.split(" ", -1)[0], Collectors.counting()));

    double modified = share(choice, "READMODIFYWRITE");
    assertThat(count(counts, "read")).isCloseTo(share(choice, "READ") + modified, within(0.01));
    assertThat(count(counts, "update")).isCloseTo(share(choice, "UPDATE") + modified, within(0.01));
    assertThat(count(counts, "insert")).isCloseTo(share(choice, "INSERT"), within(0.01));
    assertThat(count(counts, "scan")).isCloseTo(share(choice, "SCAN"), within(0.01));
  }

  @Test
  void shouldAskForAllRecordsAlikeWhenUniform() throws Exception {
    Map<String, Long> keys = reads(run(WorkloadChoice.C, Distribution.UNIFORM, 1, OPERATIONS));

    assertThat(keys).hasSize(RECORDS);
    assertThat(keys.values()).allMatch(count -> count < 60);
  }

  @Test
  void shouldAskMostForFewRecordsWhenZipfian() throws Exception {
    Map<String, Long> keys = reads(run(WorkloadChoice.C, Distribution.ZIPFIAN, 1, OPERATIONS));

    String hottest = "user" + Utils.hash(Utils.fnvhash64(0) % RECORDS);
    // 1 / zeta(10¹⁰), the share that YCSB gives to the first rank.
    assertThat(keys.get(hottest) / (double) OPERATIONS).isCloseTo(1 / 26.469, within(0.005));
  }

  @Test
  void shouldAskMostForNewestRecordsWhenLatest() throws Exception {
    Map<String, Long> keys = reads(run(WorkloadChoice.C, Distribution.LATEST, 1, OPERATIONS));

    assertThat(keys.get(key(RECORDS - 1))).isGreaterThan(2000);
    assertThat(keys.getOrDefault(key(10), 0L)).isLessThan(60);
  }

  @Test
  void shouldAcceptWhatCoreWorkloadWritesAndNothingElse() throws Exception {
    SeededWorkload workload = SeededWorkload.create(settings(null), WorkloadChoice.C);
    RecordingDb db = loaded(workload);
    workload.drawFrom(new SplittableRandom(1));
    runOn(workload, db, 500);
    assertThat(workload.verifiedReads()).isEqualTo(500);
    assertThat(workload.wrongReads()).isZero();

    db.rows.values().forEach(row -> row.computeIfPresent("field3", (field, value) -> value + "x"));
    runOn(workload, db, 100);
    assertThat(workload.wrongReads()).isEqualTo(100);

    db.rows.values().forEach(row -> row.remove("field3"));
    runOn(workload, db, 100);
    assertThat(workload.wrongReads()).isEqualTo(200);

    db.rows.clear();
    runOn(workload, db, 100);
    assertThat(workload.wrongReads()).isEqualTo(300);
    assertThat(workload.verifiedReads()).isEqualTo(800);
  }

  @Test
  void shouldReadUpdatedAndInsertedRowsAsRight() throws Exception {
    for (WorkloadChoice choice : List.of(WorkloadChoice.A, WorkloadChoice.D, WorkloadChoice.F)) {
      SeededWorkload workload = SeededWorkload.create(settings(null), choice);
      RecordingDb db = loaded(workload);
      workload.drawFrom(new SplittableRandom(1));

      runOn(workload, db, 5000);

      assertThat(workload.verifiedReads()).as("workload %s", choice).isGreaterThan(2000);
      assertThat(workload.wrongReads()).as("workload %s", choice).isZero();
    }
  }

  private static List<String> run(
      WorkloadChoice choice, @Nullable Distribution distribution, long seed, int operations)
      throws Exception {
    SeededWorkload workload = SeededWorkload.create(settings(distribution), choice);
    RecordingDb db = new RecordingDb();
    workload.drawFrom(new SplittableRandom(seed));
    runOn(workload, db, operations);
    return db.calls;
  }

  private static void runOn(SeededWorkload workload, RecordingDb db, int operations) {
    for (int i = 0; i < operations; i++) {
      workload.doTransaction(db, null);
    }
  }

  /** Rows as CoreWorkload itself loads them. */
  private static RecordingDb loaded(SeededWorkload workload) {
    RecordingDb db = new RecordingDb();
    for (int i = 0; i < RECORDS; i++) {
      workload.doInsert(db, null);
    }
    db.calls.clear();
    return db;
  }

  private static YcsbSettings settings(@Nullable Distribution distribution) {
    return new YcsbSettings(
        List.of(),
        List.of(),
        distribution,
        new StoreOptions(RECORDS, 10, 100, 16384, 0, 1, 4, CompactionOutputs.OFFER),
        new CacheSettings(List.of(MediumChoice.NATIVE), null, 1, 1, 0.1, 0, Duration.ofSeconds(1)),
        new RunSettings(1, Duration.ofSeconds(1), 0, 0, 1, 1),
        Path.of("."));
  }

  private static Map<String, Long> reads(List<String> calls) {
    return calls.stream()
        .map(call -> call.split(" ", -1)[1])
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  private static String key(long number) {
    return "user" + Utils.hash(number);
  }

  private static double share(WorkloadChoice choice, String operation) {
    return choice.shares().getOrDefault(operation, 0.0);
  }

  private static double count(Map<String, Long> counts, String call) {
    return counts.getOrDefault(call, 0L) / (double) OPERATIONS;
  }
}
