// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.report.Measurements;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ClientsReportTest {
  private static final String OUTPUT =
      """
      INFO [TestClient-0] Latency (us) : mean=10.00, min=1.00, 50th=600.00, 75th=700.00, 99th=8000.00, 99.9th=18000.50, 99.99th=1.00
      INFO [TestClient-1] Latency (us) : mean=12.00, min=1.00, 50th=800.00, 75th=900.00, 99th=9000.00, 99.9th=20000.50, 99.99th=1.00
      INFO [main] [ Avg TPS/QPS]\t3017\t row per second
      """;

  private final Measurements measured = new Measurements();

  private void add(ClientsEngine engine, double readsPerSecond, double p50) {
    Map<String, Double> micros = Map.of("50", p50, "99", 2000.0, "99.9", 3000.0);
    ClientsBench.add(
        new LoadResult(100, readsPerSecond, micros),
        new ServerCounts(60, 3 << 20, 64 << 20, 12),
        measured.with("engine", engine.label()));
  }

  @Test
  void shouldReadRateAndLatenciesOfAllThreads() {
    LoadResult result = LoadResult.of(OUTPUT);
    assertThat(result.rowsPerSecond()).isEqualTo(3017);
    assertThat(result.ofEvery(10, 999).rowsPerSecond()).isEqualTo(301.7);
    assertThat(result.ofEvery(10, 999).rows()).isEqualTo(99);
    assertThat(result.micros())
        .containsExactlyInAnyOrderEntriesOf(Map.of("50", 700.0, "99", 8500.0, "99.9", 19000.5));
  }

  @Test
  void shouldRefuseTheOutputOfATestThatFailed() {
    assertThatThrownBy(() -> LoadResult.of("Exception in thread main"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Exception in thread main");
  }

  @Test
  void shouldReadTheCountsOfAServer() {
    String metrics = "{\"l2CacheCount\" : 3, \"l2CacheEvictionCount\" : 2}";
    String files = "{\"FsPReadTime_num_ops\" : 30, \"FsReadTime_num_ops\" : 7}";
    String memory =
        "{\"NonHeapMemoryUsage\" : {\"used\" : 1}, \"HeapMemoryUsage\" : {\"used\" : 77}}";
    String collectors = "{\"CollectionTime\" : 5}, {\"CollectionTime\" : 6}";
    ServerCounts counts = ServerCounts.of(metrics, files, "", memory, collectors);
    assertThat(counts).isEqualTo(new ServerCounts(30, 5 * 65536, 77, 11));
    assertThat(counts.hitRatio(120)).isEqualTo(0.75);
    assertThat(counts.since(new ServerCounts(20, 65536, 1, 10)))
        .isEqualTo(new ServerCounts(10, 4 * 65536, 77, 1));
    String nvcache = "{\"DeviceWrittenBytes\" : 9}";
    assertThat(ServerCounts.of(metrics, files, nvcache, memory, collectors).writtenBytes())
        .isEqualTo(9);
    assertThatThrownBy(() -> ServerCounts.of(metrics, "{}", nvcache, memory, collectors))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("FsPReadTime_num_ops");
  }

  @Test
  void shouldCompareWithNoSecondLevel() {
    add(ClientsEngine.NVCACHE_NATIVE, 1500, 250);
    add(ClientsEngine.NONE, 1000, 500);
    assertThat(ClientsReport.tables(measured).lines())
        .hasSize(4)
        .element(2)
        .isEqualTo(
            "| nvcache-native | 1.50 | 0.50 | 1.00 | 1.00 | 40.0 % | 3 MiB | 64 MiB | 12 ms |");
  }

  @Test
  void shouldHaveNoRatioWithoutAPeer() {
    add(ClientsEngine.BUCKET_FILE, 1, 1);
    assertThat(ClientsReport.tables(measured)).contains("| bucket-file | – | – |");
  }

  @Test
  void shouldCompareWithTheBucketCacheOfTheSameKind() {
    add(ClientsEngine.BUCKET_OFFHEAP, 4000, 700);
    add(ClientsEngine.NVCACHE_FLASH, 1250, 250);
    add(ClientsEngine.BUCKET_FILE, 1000, 500);
    ClientsReport.addRatios(measured);
    assertThat(ClientsReport.tables(measured).lines().toList())
        .hasSize(9)
        .last()
        .isEqualTo("| nvcache-flash | 1.25 | 0.50 | 1.00 | 1.00 | 1.00 | 1.00 |");
  }

  /** Only what has to be set: the comparison is that of default installs. */
  @ParameterizedTest
  @EnumSource(ClientsEngine.class)
  void shouldTuneNoEngine(ClientsEngine engine) {
    assertThat(engine.site(Path.of("here"), 64 << 20).keySet())
        .isSubsetOf(
            "hbase.regionserver.impl",
            "hbase.nvcache.capacity.bytes",
            "hbase.nvcache.medium",
            "hbase.nvcache.path",
            "hbase.bucketcache.ioengine",
            "hbase.bucketcache.size",
            "hbase.bucketcache.persistent.path");
  }

  @Test
  void shouldRecordEachMetricOfAPhase() {
    add(ClientsEngine.BUCKET_FILE, 2, 1);
    add(ClientsEngine.NVCACHE_FLASH, 1, 1);
    ClientsReport.addRatios(measured);
    assertThat(measured.records())
        .filteredOn(record -> record.labels().containsValue("nvcache-flash"))
        .extracting(record -> record.metric())
        .containsExactlyInAnyOrder(
            "reads_per_s",
            "latency",
            "latency",
            "latency",
            "hit_ratio",
            "medium_bytes_written",
            "heap_bytes",
            "gc_ms",
            "reads_ratio_to_bucket",
            "hits_ratio_to_bucket",
            "written_ratio_to_bucket");
  }
}
