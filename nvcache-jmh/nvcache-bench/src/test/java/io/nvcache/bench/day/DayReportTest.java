// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.bench.clients.ServerBase;
import io.nvcache.report.JsonRecords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class DayReportTest {
  private static final int SECONDS = 10;

  private final List<DaySample> samples = new ArrayList<>();

  private static DaySettings settings() {
    return new DaySettings(
        List.of(DayEngine.values()),
        208 << 20,
        1000,
        8,
        5,
        Duration.ofSeconds(SECONDS),
        new ServerBase(24 << 20, Duration.ofMillis(5), 0, ""),
        Path.of("here"));
  }

  private static Histogram micros(int reads, long micros) {
    Histogram histogram = new Histogram(3);
    histogram.recordValueWithCount(micros, reads);
    return histogram;
  }

  /** Adds a part of ten seconds, in which each read took as long. */
  private void add(DayEngine engine, DayPhase phase, int turn, int reads, int misses) {
    long micros = engine == DayEngine.NVCACHE_FLASH ? 800 : 1000;
    long written = engine == DayEngine.NVCACHE_FLASH ? 100 : 1000;
    samples.add(
        new DaySample(
            engine,
            phase,
            turn,
            turn * (double) SECONDS,
            SECONDS,
            misses,
            written,
            micros(reads, micros)));
  }

  private DayFigures day() {
    for (DayEngine engine : DayEngine.values()) {
      int reads = engine == DayEngine.NVCACHE_FLASH ? 1500 : 1000;
      add(engine, DayPhase.STEADY, 0, reads, reads / 2);
      add(engine, DayPhase.KILLED, 1, reads, reads / 2 + reads / 20);
      add(engine, DayPhase.STEADY, 2, reads, reads / 2);
    }
    // The compaction costs NVCache 50 hits without heat, and 5 and 10 with it.
    add(DayEngine.NVCACHE_FLASH_NOHEAT, DayPhase.COMPACTING, 3, 1000, 550);
    add(DayEngine.NVCACHE_FLASH, DayPhase.COMPACTING, 3, 500, 255);
    add(DayEngine.NVCACHE_FLASH, DayPhase.COMPACTING, 3, 1000, 510);
    add(DayEngine.BUCKET_FILE, DayPhase.COMPACTING, 3, 1000, 900);
    Map<String, String> labels = Map.of("engine", DayEngine.NVCACHE_FLASH.label(), "phase", "end");
    return new DayFigures(
        samples, List.of(new JsonRecords.Entry("wrong_reads", labels, 0, "reads")));
  }

  private static double value(
      List<JsonRecords.Entry> records, String metric, Map<String, String> labels) {
    return records.stream()
        .filter(record -> record.metric().equals(metric) && record.labels().equals(labels))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + metric + " of " + labels))
        .value();
  }

  @Test
  void shouldRecordTheRatiosThatADayIsJudgedBy() {
    List<JsonRecords.Entry> records = DayReport.records(day().withBalancerMoves(2), settings());
    Map<String, String> pair = Map.of("engine", "nvcache-flash", "to", "bucket-file-compacted");
    assertThat(value(records, "day_reads_ratio", pair)).isEqualTo(1.5 * 3 / 3, within(1.0));
    assertThat(value(records, "day_written_ratio", pair)).isEqualTo(500 / 3000.0, within(1e-9));
    assertThat(
            value(
                records,
                "day_p99_ratio",
                Map.of("engine", "nvcache-flash", "to", "bucket-file", "phase", "killed")))
        .isEqualTo(0.8, within(1e-3));
    assertThat(value(records, "hits_after_kill_ratio", Map.of("engine", "nvcache-flash")))
        .isEqualTo(0.9, within(1e-9));
    assertThat(value(records, "compaction_loss_ratio", Map.of("engine", "nvcache-flash")))
        .isEqualTo(0.3, within(1e-9));
    assertThat(value(records, "compaction_lost_by_chance", Map.of("engine", "bucket-file")))
        .as("of two turns of 1000 reads, half of which are hits")
        .isEqualTo(Math.sqrt(2000 * 0.25), within(1e-9));
    assertThat(
            value(
                records, "balancer_moves", Map.of("engine", "nvcache-flash", "phase", "balancer")))
        .isEqualTo(2);
    assertThat(value(records, "compaction_loss_ratio", Map.of("engine", "bucket-file")))
        .isEqualTo(8, within(1e-9));
    assertThat(value(records, "wrong_reads", Map.of("engine", "nvcache-flash", "phase", "end")))
        .isZero();
  }

  @Test
  void shouldRecordSeriesPhasesAndTheDay() {
    List<JsonRecords.Entry> records = DayReport.records(day(), settings());
    Map<String, String> second =
        Map.of("engine", "bucket-file", "phase", "killed", "second", "10.0");
    assertThat(value(records, "series_reads_per_s", second)).isEqualTo(100);
    assertThat(value(records, "series_hit_ratio", second)).isEqualTo(0.45);
    assertThat(value(records, "series_written_per_minute", second)).isEqualTo(6000);
    Map<String, String> phase = Map.of("engine", "none", "phase", "steady");
    assertThat(value(records, "phase_hit_ratio", phase)).isEqualTo(0.5);
    Map<String, String> day = Map.of("engine", "nvcache-flash", "percentile", "99.9");
    assertThat(value(records, "day_latency", day)).isEqualTo(800, within(1.0));
  }

  @Test
  void shouldLeaveOutWhatWasNotMeasured() {
    add(DayEngine.NONE, DayPhase.WARMING, 0, 1000, 900);
    DayFigures figures = new DayFigures(samples, List.of());
    assertThat(DayReport.records(figures, settings()))
        .extracting(JsonRecords.Entry::metric)
        .contains("day_reads_per_s")
        .noneMatch(metric -> metric.endsWith("_ratio") && !metric.endsWith("hit_ratio"));
    assertThat(DayReport.tables(figures, settings())).contains("| warming | none | 100 |");
  }

  @Test
  void shouldDrawLinesThatEndApart(@TempDir Path directory) throws Exception {
    DayPictures.write(day(), settings(), directory);
    assertThat(directory.resolve("hbase-day-hits.json"))
        .content()
        .contains("{\"mark\": \"kill -9\", \"at\": 10.0}")
        .contains("\"name\": \"no second level\", \"shift\": 0.0, \"points\": [[5.0, 50.0], ")
        .contains("\"name\": \"NVCache\", \"ours\": true, \"shift\": 15.0");
  }

  @ParameterizedTest
  @EnumSource(DayEngine.class)
  void shouldHaveOneSecondLevelEach(DayEngine engine) {
    Map<String, String> site = engine.site(Path.of("here"), 208 << 20);
    assertThat(site.containsKey("hbase.bucketcache.ioengine")).isEqualTo(engine.isBucketCache());
    assertThat(site.containsKey("hbase.nvcache.path")).isEqualTo(engine.isNvCache());
  }

  /** A bucket that is not a whole number of blocks would waste the rest of each. */
  @Test
  void shouldHaveBucketsThatBlocksFill() {
    String[] sizes =
        DayEngine.BUCKET_FILE
            .site(Path.of("here"), 208 << 20)
            .get("hbase.bucketcache.bucket.sizes")
            .split(",");
    long blocks = Long.parseLong(sizes[sizes.length - 2]);
    assertThat(4 * Long.parseLong(sizes[sizes.length - 1]) % blocks).isZero();
  }
}
