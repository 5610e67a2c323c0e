// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.nvcache.cassandra.node.AcknowledgedRows.Found;
import io.nvcache.writelog.Propagation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A node whose commit log goes through a durable write log, killed in the middle of its writes time
 * and again. Each row that was acknowledged must be there after the restart.
 */
class CommitLogKillsIT {
  /** Of each kind; more by this property. */
  private static final int KILLS = Integer.getInteger("nvcache.test.kills", 2);

  private static final int MOST_WRITES = 3000;

  @ParameterizedTest
  @CsvSource({
    "COMPRESSED, DEFERRED",
    "COMPRESSED, ON_WRITE",
    "DIRECT, DEFERRED",
    "DIRECT, ON_WRITE"
  })
  void shouldKeepEachAcknowledgedRow(CommitLogAccess access, Propagation propagation)
      throws Exception {
    long seed = Long.getLong("nvcache.test.seed", System.nanoTime());
    Random random = new Random(seed);
    NodeOptions options = NodeOptions.of(NodeOptions.FIRST, "kills").withCommitLog(access);
    // Short, so that segments are filled, flushed and deleted in each life.
    options.withYaml("commitlog_segment_size", "1MiB").withYaml("commitlog_total_space", "8MiB");
    options.withWriteLog(options.directory().resolve("log"), propagation);
    AcknowledgedRows rows = new AcknowledgedRows();
    Set<Path> segments = new HashSet<>();
    int lost = 0;
    int torn = 0;
    long records = 0;
    for (int life = 0; life <= KILLS; life++) {
      CassandraNode node = CassandraNode.start(options);
      try (CqlSession session = node.session()) {
        if (life == 0) {
          session.execute(Rows.keyspaceDdl("ks", 1));
          session.execute(AcknowledgedRows.ddl("ks.t"));
        }
        Found found = rows.check(session, "ks.t");
        lost += found.lost();
        torn += found.torn();
        segments.addAll(list(options.commitLog()));
        if (life < KILLS) {
          rows.writeUntil(session, "ks.t", 1 + random.nextInt(MOST_WRITES), node::beginKill);
          segments.addAll(list(options.commitLog()));
        } else {
          records = assertLogged(node, options);
        }
      } finally {
        if (life < KILLS) {
          node.kill();
        } else {
          segments.removeAll(list(options.commitLog()));
          node.close();
          Files.deleteIfExists(options.writeLog());
        }
      }
    }
    System.out.printf(
        "commit log %s, %s: %d kills, %d acknowledged writes, %d lost, %d torn, %d segments gone,"
            + " %d records in the last life, seed %d%n",
        access,
        propagation,
        KILLS,
        rows.acknowledgements(),
        lost,
        torn,
        segments.size(),
        records,
        seed);
    assertThat(lost).as("lost rows, seed %d", seed).isZero();
    assertThat(torn).as("torn rows, seed %d", seed).isZero();
    assertThat(segments).as("segments that were deleted").isNotEmpty();
  }

  /** The test would show nothing if the commit log went past the write log. */
  private static long assertLogged(CassandraNode node, NodeOptions options) throws Exception {
    try (NodeJmx jmx = node.jmx()) {
      long records = jmx.writeLog(options.writeLog(), "Records");
      assertThat(records).as("records").isPositive();
      assertThat(jmx.writeLog(options.writeLog(), "DrainFailures")).isZero();
      assertThat(jmx.writeLog(options.writeLog(), "OrphanBytes")).isZero();
      return records;
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }
}
