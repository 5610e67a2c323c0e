// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A major compaction of a table that is read by skewed keys, by each strategy, with heat and
 * without. The cache has the default policies and holds a fifth of the data.
 */
class CompactionHeatIT {
  private static final int ROWS = 30_000;
  private static final int FILES = 4;
  private static final int WARMING_READS = 30_000;

  /** Some two for each chunk that the cache holds. */
  private static final int WINDOW_READS = 1_000;

  /** Of other threads of Cassandra; a compaction reads thousands of chunks. */
  private static final long FEW_LOOKUPS = 100;

  private static final double SKEW = 0.99;
  private static final long SEED = 0x5eed;
  private static final String SETTINGS = "nvcache.capacity.bytes=5242880";

  /** What two windows of the same reads differ by. */
  private static final double NOISE = 0.02;

  /**
   * The reader of BTI looks each chunk up twice, so that the first read of a chunk admits it: there
   * is no loss that could be halved, and nothing is carried.
   */
  private static final double MOST_LOST_OF_BTI = 0.05;

  /** When the reads begin that are compared with those before a compaction. */
  private enum Window {
    WHEN_INVALIDATED,
    WHEN_CARRIED,
    AT_ONCE
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5.0.2  | big | LZ4Compressor | SizeTieredCompactionStrategy",
        "newest | big | LZ4Compressor | UnifiedCompactionStrategy",
        "newest | bti | LZ4Compressor | LeveledCompactionStrategy",
        "5.0.2  | bti | none          | LeveledCompactionStrategy",
      })
  void shouldKeepTheHitsThatACompactionTakes(
      String version, String format, String compression, String strategy) throws Exception {
    NodeOptions options = NodeOptions.of(version, "heat").withFormat(format).withAgent(SETTINGS);
    try (CassandraNode node = CassandraNode.start(options);
        CqlSession session = node.session();
        NodeJmx jmx = node.jmx()) {
      session.execute(Rows.keyspaceDdl("ks", 1));
      String table =
          "compaction = {'class': '"
              + strategy
              + "', 'enabled': 'false'} AND "
              + ServedReadsIT.compression(compression);
      for (String name : new String[] {"cold", "warm", "hasty"}) {
        session.execute(Rows.ddl("ks." + name, table));
      }
      new Rows(session, "ks.cold", 1).write(0, 1, 0);
      jmx.flush("ks", "cold");
      jmx.awaitServing();

      jmx.compactionHeat(false);
      Run without = run(session, jmx, "cold", Window.WHEN_INVALIDATED);
      assertThat(without.carried).isZero();
      jmx.compactionHeat(true);
      boolean carries = !format.equals("bti");
      Window carried = carries ? Window.WHEN_CARRIED : Window.WHEN_INVALIDATED;
      Run with = run(session, jmx, "warm", carried);
      Run hasty = run(session, jmx, "hasty", Window.AT_ONCE);
      System.out.printf(
          "%s %s %s: hits before and after, without heat %.3f %.3f, with heat %.3f %.3f, at once"
              + " %.3f %.3f; chunks carried %d; writes, with / without: %.2f%n",
          strategy,
          format,
          compression,
          without.before,
          without.after,
          with.before,
          with.after,
          hasty.before,
          hasty.after,
          with.carried,
          with.written / (double) without.written);
      assertThat(with.carried > 0).as("chunks carried").isEqualTo(carries);
      assertThat(with.lost())
          .isLessThanOrEqualTo(carries ? without.lost() / 2 + NOISE : MOST_LOST_OF_BTI);
      assertThat(jmx.compactionHeatProblem()).isEmpty();
      assertThat(jmx.bypasses("failure")).isZero();
      assertThat(jmx.cache("ChecksumFailures")).isZero();
      assertThat(node.output()).contains("compaction heat on");
    }
  }

  /** What a compaction of one table did to the reads of the table. */
  private record Run(double before, double after, long carried, long written) {
    double lost() {
      return before - after;
    }
  }

  private static Run run(CqlSession session, NodeJmx jmx, String table, Window window)
      throws Exception {
    Rows rows = new Rows(session, "ks." + table, 1);
    for (int part = 0; part < FILES; part++) {
      int last = part;
      int[] next = {part - FILES};
      // Every fourth row, so that the files cover the same keys.
      rows.writeAll(() -> next[0] += FILES, (ROWS - last + FILES - 1) / FILES, 0);
      jmx.flush("ks", table);
    }
    IntSupplier ids = skewed();
    rows.readAll(ids, WARMING_READS, 0).assertAllRight(WARMING_READS);
    double before = hitRatio(jmx, rows, ids);
    long carried = jmx.ledger("carried.admitted");
    long written = jmx.cache("MediumWrittenBytes");
    long lookups = jmx.cache("Lookups");
    long invalidated = jmx.cache("Invalidations");
    jmx.compact("ks", table);
    if (window != Window.AT_ONCE) {
      // The inputs are closed, and hot chunks are read back, some time after the compaction.
      eventually(() -> jmx.cache("Invalidations") > invalidated);
      if (window == Window.WHEN_CARRIED) {
        eventually(() -> jmx.ledger("carried.admitted") > carried);
      }
      awaitTheLast(jmx);
      assertThat(jmx.cache("Lookups") - lookups)
          .as("lookups of the compaction")
          .isLessThan(FEW_LOOKUPS);
    }
    double after = hitRatio(jmx, rows, ids);
    session.execute("DROP TABLE ks." + table);
    return new Run(
        before,
        after,
        jmx.ledger("carried.admitted") - carried,
        jmx.cache("MediumWrittenBytes") - written);
  }

  private static void awaitTheLast(NodeJmx jmx) throws Exception {
    long before;
    do {
      before = jmx.ledger("carried.admitted");
      Thread.sleep(3000);
    } while (jmx.ledger("carried.admitted") != before);
  }

  private static void eventually(Callable<Boolean> condition) throws Exception {
    for (int attempt = 0; attempt < 3000 && !condition.call(); attempt++) {
      Thread.sleep(100);
    }
    assertThat(condition.call()).isTrue();
  }

  private static double hitRatio(NodeJmx jmx, Rows rows, IntSupplier ids) throws Exception {
    Thread.sleep(200); // The counts are a snapshot of up to 100 ms ago.
    long hits = jmx.cache("Hits");
    long lookups = jmx.cache("Lookups");
    rows.readAll(ids, WINDOW_READS, 0).assertAllRight(WINDOW_READS);
    Thread.sleep(200);
    return (jmx.cache("Hits") - hits) / (double) (jmx.cache("Lookups") - lookups);
  }

  /** Zipf's law; the partitioner scatters the hot ids. */
  private static IntSupplier skewed() {
    double[] sums = new double[ROWS];
    double sum = 0;
    for (int id = 0; id < ROWS; id++) {
      sum += Math.pow(id + 1, -SKEW);
      sums[id] = sum;
    }
    double all = sum;
    SplittableRandom random = new SplittableRandom(SEED);
    return () -> {
      int found = Arrays.binarySearch(sums, random.nextDouble() * all);
      return Math.min(ROWS - 1, found < 0 ? -found - 1 : found);
    };
  }
}
