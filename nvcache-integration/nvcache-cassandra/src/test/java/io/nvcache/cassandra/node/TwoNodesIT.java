// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Two copies of everything, the cache under both, and SSTables that go from one to the other. */
class TwoNodesIT {
  private static final int ROWS = 20_000;
  private static final String SETTINGS =
      "nvcache.capacity.bytes=134217728,nvcache.policies=admit-all,nvcache.overhead.target=10,"
          + "nvcache.smallbypass.dram.bytes=0";

  @Test
  void shouldServeWhatRepairBrought() throws Exception {
    NodeOptions one = options("one");
    NodeOptions two = options("two").withAddress("127.0.0.2", one);
    try (CassandraNode first = CassandraNode.start(one)) {
      CassandraNode second = CassandraNode.start(two);
      try (CqlSession session = first.session("ALL")) {
        session.execute(Rows.keyspaceDdl("ks", 2));
        session.execute(Rows.ddl("ks.packed", "compression = {'class': 'LZ4Compressor'}"));
        session.execute(Rows.ddl("ks.plain", "compression = {'enabled': 'false'}"));
        writeAndCache(session, "packed", 0, first, second);
        writeAndCache(session, "plain", 0, first, second);
      } finally {
        second.stop();
      }
      missUpdates(first);
      try (CassandraNode back = CassandraNode.start(two)) {
        try (NodeJmx jmx = back.jmx()) {
          assertThat(jmx.repair("ks")).isEqualTo("COMPLETED");
        }
        shouldAgree(back);
        shouldHaveFailedNowhere(first);
        first.stop();
        shouldServeNewValues(back);
      }
    }
  }

  private static NodeOptions options(String name) throws Exception {
    return NodeOptions.of(NodeOptions.NEWEST, name)
        .withRingDelay(Duration.ofSeconds(10))
        .withYaml("auto_bootstrap", "false")
        .withYaml("hinted_handoff_enabled", "false")
        .withAgent(SETTINGS);
  }

  private static void writeAndCache(
      CqlSession session, String table, int generation, CassandraNode... nodes) throws Exception {
    Rows rows = new Rows(session, "ks." + table, 9);
    rows.write(0, ROWS, generation);
    for (CassandraNode node : nodes) {
      try (NodeJmx jmx = node.jmx()) {
        jmx.flush("ks", table);
      }
    }
    rows.readEach(ROWS, generation).assertAllRight(ROWS);
  }

  /** While the second node is away, all rows change. */
  private static void missUpdates(CassandraNode first) throws Exception {
    try (CqlSession session = first.session()) {
      writeAndCache(session, "packed", 1, first);
      writeAndCache(session, "plain", 1, first);
    }
  }

  /** Each read asks both nodes, and Cassandra compares what they say. */
  private static void shouldAgree(CassandraNode coordinator) throws Exception {
    try (CqlSession session = coordinator.session("ALL")) {
      for (String table : new String[] {"packed", "plain"}) {
        new Rows(session, "ks." + table, 9).readEach(ROWS, 1).assertAllRight(ROWS);
      }
    }
  }

  private static void shouldHaveFailedNowhere(CassandraNode node) throws Exception {
    try (NodeJmx jmx = node.jmx()) {
      assertThat(jmx.state()).isEqualTo("SERVING");
      assertThat(jmx.bypasses("failure")).isZero();
      assertThat(jmx.cache("ChecksumFailures")).isZero();
    }
  }

  private static void shouldServeNewValues(CassandraNode node) throws Exception {
    try (CqlSession session = node.session();
        NodeJmx jmx = node.jmx()) {
      for (String table : new String[] {"packed", "plain"}) {
        Rows rows = new Rows(session, "ks." + table, 9);
        rows.readEach(ROWS, 1).assertAllRight(ROWS);
        long hits = jmx.cache("Hits");
        rows.readEach(ROWS, 1).assertAllRight(ROWS);
        assertThat(jmx.cache("Hits") - hits).as(table).isGreaterThan(ROWS / 2);
      }
    }
    shouldHaveFailedNowhere(node);
  }
}
