// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files come and go while they are read: compaction, scrub, truncation, restarts. The heat of
 * compactions is carried beside it, but to files of BTI.
 */
class DangerousTimesIT {
  private static final int ROWS = 40_000;
  private static final int READS = 4_000;

  /** Its own tables are not cached, but count in the data set. */
  private static final long CASSANDRAS_OWN_BYTES = 1 << 20;

  private static final String SETTINGS =
      "nvcache.capacity.bytes=268435456,nvcache.policies=admit-all,nvcache.overhead.target=10,"
          + "nvcache.smallbypass.dram.bytes=0";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5.0.2  | big | compression = {'class': 'LZ4Compressor', 'min_compress_ratio': 2}",
        "newest | bti | compression = {'enabled': 'false'}",
        "newest | big | compression = {'class': 'LZ4Compressor'} AND crc_check_chance = 0.5",
      })
  void shouldNeverServeWhatIsGone(String version, String format, String tableOptions)
      throws Exception {
    NodeOptions node = NodeOptions.of(version, "dangerous").withFormat(format).withAgent(SETTINGS);
    // New SSTables are opened before they are complete, ten times while one is written.
    node.withYaml("sstable_preemptive_open_interval", "4MiB");
    CassandraNode first = CassandraNode.start(node);
    try (CqlSession session = first.session();
        NodeJmx jmx = first.jmx()) {
      session.execute(Rows.keyspaceDdl("ks", 1));
      session.execute(Rows.ddl("ks.t", tableOptions));
      Rows rows = new Rows(session, "ks.t", 5);
      shouldSurviveCompaction(rows, jmx);
      if (format.equals("bti")) {
        assertThat(carried(jmx)).isZero();
      } else {
        eventually(() -> carried(jmx) > 0);
      }
      shouldKeepOnlyLiveFiles(jmx);
      shouldSurviveScrub(rows, jmx);
      shouldSurviveTruncation(session, rows, jmx);
      assertThat(jmx.bypasses("failure")).isZero();
      assertThat(jmx.cache("ChecksumFailures")).isZero();
    } finally {
      first.stop();
    }
    node.withYaml("file_cache_enabled", "true").withYaml("file_cache_size", "32MiB");
    shouldSurviveARestart(node);
    shouldSurviveARestart(node.withYaml("file_cache_enabled", "false").withoutAgent());
    node.deleteStorage();
  }

  private static void shouldSurviveCompaction(Rows rows, NodeJmx jmx) throws Exception {
    for (int part = 0; part < 4; part++) {
      rows.write(part * ROWS / 4, (part + 1) * ROWS / 4, 0);
      jmx.flush("ks", "t");
    }
    // Half stays cold: what compaction finds in the cache needs no bypass.
    rows.readEach(ROWS / 2, 0).assertAllRight(ROWS / 2);
    long invalidated = jmx.cache("Invalidations");
    readDuring(
        rows,
        () -> {
          jmx.compact("ks", "t");
          return null;
        });
    rows.readEach(ROWS, 0).assertAllRight(ROWS);
    eventually(() -> jmx.cache("Invalidations") > invalidated);
    // 5.0.9 reads compressed files ahead for compaction, many chunks at a time.
    assertThat(jmx.bypasses("compaction-read") + jmx.bypasses("scan-read-ahead")).isPositive();
    assertThat(jmx.compactionHits() + jmx.bypasses("scan-read-ahead")).isPositive();
    assertThat(jmx.bypasses("opened-early")).isGreaterThan(5);
  }

  private static long carried(NodeJmx jmx) throws Exception {
    return jmx.ledger("carried.admitted") + jmx.ledger("carried.already_cached");
  }

  private static void shouldSurviveScrub(Rows rows, NodeJmx jmx) throws Exception {
    readDuring(
        rows,
        () -> {
          jmx.scrub("ks", "t");
          return null;
        });
    rows.readEach(ROWS, 0).assertAllRight(ROWS);
    shouldKeepOnlyLiveFiles(jmx);
  }

  private static void shouldSurviveTruncation(CqlSession session, Rows rows, NodeJmx jmx)
      throws Exception {
    session.execute("TRUNCATE ks.t");
    eventually(() -> jmx.cache("Blocks") == 0 && jmx.cache("DataSetBytes") < CASSANDRAS_OWN_BYTES);
    rows.write(0, ROWS, 1);
    jmx.flush("ks", "t");
    rows.readEach(ROWS, 1).assertAllRight(ROWS);
    rows.readEach(ROWS, 1).assertAllRight(ROWS);
  }

  /** Files are deleted some time after the compaction that replaced them. */
  private static void shouldKeepOnlyLiveFiles(NodeJmx jmx) throws Exception {
    eventually(
        () ->
            jmx.cache("DataSetBytes") <= jmx.liveBytes("ks", "t")
                && jmx.cache("BlockBytes") <= jmx.liveBytes("ks", "t"));
  }

  private static void readDuring(Rows rows, Callable<Void> action) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Void> change =
        CompletableFuture.runAsync(
            () -> {
              try {
                action.call();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              } finally {
                done.set(true);
              }
            });
    long order = 0;
    do {
      rows.read(READS, ROWS, 0, order++).assertAllRight(READS);
    } while (!done.get());
    change.get();
  }

  private static void shouldSurviveARestart(NodeOptions options) throws Exception {
    CassandraNode node = CassandraNode.start(options);
    try (CqlSession session = node.session()) {
      Rows rows = new Rows(session, "ks.t", 5);
      rows.readEach(ROWS, 1).assertAllRight(ROWS);
      rows.readEach(ROWS, 1).assertAllRight(ROWS);
    } finally {
      node.stop();
    }
  }

  private static void eventually(Callable<Boolean> condition) throws Exception {
    for (int attempt = 0; attempt < 300; attempt++) {
      if (condition.call()) {
        return;
      }
      Thread.sleep(100);
    }
    assertThat(condition.call()).isTrue();
  }
}
