// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Where the agent has to say no. */
class RefusalIT {
  private static final int ROWS = 5_000;
  private static final String SETTINGS =
      "nvcache.capacity.bytes=67108864,nvcache.smallbypass.dram.bytes=0";

  @Test
  void shouldNotStartANodeWithABadSetting() throws Exception {
    NodeOptions options =
        NodeOptions.of(NodeOptions.FIRST, "bad").withAgent("nvcache.capacity.bytes=lots");
    try (CassandraNode node = CassandraNode.startInVain(options)) {
      assertThat(node.exitValue()).isEqualTo(1);
      assertThat(node.output().lines())
          .singleElement()
          .asString()
          .startsWith("NVCache: the node was not started: nvcache.capacity.bytes is 'lots'");
    }
  }

  /** Or the second would find all classes woven, and the node would have no cache. */
  @Test
  void shouldNotStartANodeThatHasTheAgentTwice() throws Exception {
    NodeOptions options =
        NodeOptions.of(NodeOptions.FIRST, "twice").withAgent(SETTINGS).withAgentOnceMore();
    try (CassandraNode node = CassandraNode.startInVain(options)) {
      assertThat(node.exitValue()).isEqualTo(1);
      assertThat(node.output().lines())
          .singleElement()
          .asString()
          .startsWith("NVCache: the node was not started: the agent is given twice");
    }
  }

  @Test
  void shouldLeaveANodeAloneThatMapsItsDataFiles() throws Exception {
    NodeOptions options =
        NodeOptions.of(NodeOptions.FIRST, "mapped")
            .withYaml("disk_access_mode", "mmap")
            .withAgent(SETTINGS);
    try (CassandraNode node = CassandraNode.start(options)) {
      shouldServe(node);
      try (NodeJmx jmx = node.jmx()) {
        assertThat(jmx.state()).isEqualTo("REFUSED");
        assertThat(jmx.has(NodeJmx.CACHE)).isFalse();
      }
      assertThat(node.output())
          .containsOnlyOnce("NVCache is off, and the node runs as without it: disk_access_mode");
    }
  }

  @Test
  void shouldLeaveANodeAloneThatItDoesNotKnow() throws Exception {
    NodeOptions options = NodeOptions.of(NodeOptions.NEWEST, "unknown").withAgent(SETTINGS);
    Path version =
        options.directory().resolve("front/org/apache/cassandra/config/version.properties");
    Files.createDirectories(version.getParent());
    Files.writeString(version, "CassandraVersion=5.1.0\n");
    options.withClassPathInFront(options.directory().resolve("front"));
    try (CassandraNode node = CassandraNode.start(options)) {
      shouldServe(node);
      String line =
          "NVCache is off, and the node runs as without it: this is Cassandra 5.1.0; the agent is"
              + " made for 5.0.x";
      for (int attempt = 0;
          attempt < 100 && !node.output().contains("cassandra " + line);
          attempt++) {
        Thread.sleep(100);
      }
      assertThat(node.output()).as("on the standard error").startsWith(line);
      assertThat(node.output()).as("in the log").contains("ERROR").contains("cassandra " + line);
      try (NodeJmx jmx = node.jmx()) {
        assertThat(jmx.has("org.apache.cassandra.db:type=NVCache")).isFalse();
      }
    }
  }

  private static void shouldServe(CassandraNode node) throws Exception {
    try (CqlSession session = node.session();
        NodeJmx jmx = node.jmx()) {
      session.execute(Rows.keyspaceDdl("ks", 1));
      session.execute(Rows.ddl("ks.t", "compression = {'class': 'LZ4Compressor'}"));
      Rows rows = new Rows(session, "ks.t", 1);
      rows.write(0, ROWS, 0);
      jmx.flush("ks", "t");
      rows.readEach(ROWS, 0).assertAllRight(ROWS);
    }
  }
}
