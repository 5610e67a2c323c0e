// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.nvcache.writelog.Propagation;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What a durable write log gains Cassandra's commit log in batch mode: the time of one client's
 * inserts, in turns on nodes that differ in their commit logs only. That each wrote as it claims is
 * checked; times depend on the machine and its disk.
 */
class CommitLogCostIT {
  private static final int WARM_UP_TURNS = Integer.getInteger("nvcache.test.warmUpTurns", 30);
  private static final int TURNS = Integer.getInteger("nvcache.test.turns", 50);
  private static final int WRITES = 100;
  private static final Path MEMORY = Path.of("/dev/shm");

  /** How a node's commit log is written. */
  private enum Way {
    MAPPED(CommitLogAccess.MAPPED, null),
    COMPRESSED(CommitLogAccess.COMPRESSED, null),
    LOGGED_ON_WRITE(CommitLogAccess.COMPRESSED, Propagation.ON_WRITE),
    LOGGED_DEFERRED(CommitLogAccess.COMPRESSED, Propagation.DEFERRED);

    private final CommitLogAccess access;
    private final Propagation propagation;

    Way(CommitLogAccess access, Propagation propagation) {
      this.access = access;
      this.propagation = propagation;
    }
  }

  /** A node and a client of it. */
  private static final class Measured implements AutoCloseable {
    private final Way way;
    private final NodeOptions options;
    private final CassandraNode node;
    private final CqlSession session;
    private final PreparedStatement insert;
    private final List<Long> nanos = new ArrayList<>();
    private long syncsBefore;
    private int next;

    private Measured(Way way) throws Exception {
      this.way = way;
      this.options = NodeOptions.of(NodeOptions.FIRST, "commitlog").withCommitLog(way.access);
      if (way.propagation != null) {
        Path above = Files.isWritable(MEMORY) ? MEMORY : options.directory();
        Path log = Files.createTempDirectory(above, "nvcache-commitlog").resolve("log");
        options.withWriteLog(log, way.propagation);
      }
      this.node = CassandraNode.start(options);
      this.session = node.session();
      session.execute(Rows.keyspaceDdl("ks", 1));
      session.execute("CREATE TABLE ks.t (id int PRIMARY KEY, v blob)");
      this.insert = session.prepare("INSERT INTO ks.t (id, v) VALUES (?, ?)");
    }

    private void turn() {
      byte[] value = new byte[200];
      for (int i = 0; i < WRITES; i++) {
        long began = System.nanoTime();
        session.execute(insert.bind(next++, ByteBuffer.wrap(value)));
        nanos.add(System.nanoTime() - began);
      }
    }

    private void beginMeasuring() throws Exception {
      nanos.clear();
      syncsBefore = syncs();
    }

    /** Of the commit log's files, where the write log counts them. */
    private long syncs() throws Exception {
      if (way.propagation == null) {
        return 0;
      }
      try (NodeJmx jmx = node.jmx()) {
        return jmx.writeLog(options.writeLog(), "Syncs")
            + jmx.writeLog(options.writeLog(), "Forces");
      }
    }

    private double micros(double quantile) {
      long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
      return sorted[(int) (sorted.length * quantile)] / 1e3;
    }

    private double syncsPerWrite() throws Exception {
      return (double) (syncs() - syncsBefore) / nanos.size();
    }

    /** What Cassandra says of the time that writes wait for its commit log. */
    private double waitMicros() throws Exception {
      try (NodeJmx jmx = node.jmx()) {
        return ((Number)
                jmx.attribute(
                    "org.apache.cassandra.metrics:type=CommitLog,name=WaitingOnCommit",
                    "50thPercentile"))
            .doubleValue();
      }
    }

    private void assertWritten() throws Exception {
      if (way.propagation != null) {
        try (NodeJmx jmx = node.jmx()) {
          assertThat(jmx.writeLog(options.writeLog(), "Records")).isGreaterThanOrEqualTo(next);
          assertThat(jmx.writeLog(options.writeLog(), "AbsorbedForces")).isPositive();
        }
      }
    }

    @Override
    public void close() throws Exception {
      session.close();
      node.close();
      if (way.propagation != null) {
        Files.deleteIfExists(options.writeLog());
        Files.deleteIfExists(options.writeLog().getParent());
      }
    }
  }

  @Test
  void shouldMeasureInsertsThroughTheLog() throws Exception {
    Map<Way, Measured> all = new EnumMap<>(Way.class);
    try {
      for (Way way : Way.values()) {
        all.put(way, new Measured(way));
      }
      for (int turn = 0; turn < WARM_UP_TURNS + TURNS; turn++) {
        if (turn == WARM_UP_TURNS) {
          for (Measured measured : all.values()) {
            measured.beginMeasuring();
          }
        }
        List<Way> order = new ArrayList<>(Arrays.asList(Way.values()));
        Collections.shuffle(order, new Random(turn));
        order.forEach(way -> all.get(way).turn());
      }
      Measured plain = all.get(Way.COMPRESSED);
      for (Measured measured : all.values()) {
        measured.assertWritten();
        System.out.printf(
            Locale.ROOT,
            "commit log, %s: insert p50 %.0f us, %.2f of that without the log, p99 %.0f us, %.2f;"
                + " waits for the commit log p50 %.0f us, %.2f; %.4f syncs a write%n",
            measured.way,
            measured.micros(0.5),
            measured.micros(0.5) / plain.micros(0.5),
            measured.micros(0.99),
            measured.micros(0.99) / plain.micros(0.99),
            measured.waitMicros(),
            measured.waitMicros() / plain.waitMicros(),
            measured.syncsPerWrite());
      }
    } finally {
      for (Measured measured : all.values()) {
        measured.close();
      }
    }
  }
}
