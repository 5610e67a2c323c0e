// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table that is dropped and made again with its id gets files of the same names. */
class NameReuseIT {
  private static final int ROWS = 20_000;
  private static final int REBIRTHS = 3;
  private static final String ID = "11111111-2222-1333-8444-555555555555";
  private static final String SETTINGS =
      "nvcache.capacity.bytes=134217728,nvcache.policies=admit-all,nvcache.overhead.target=10,"
          + "nvcache.smallbypass.dram.bytes=0";

  @ParameterizedTest
  @ValueSource(strings = {"{'class': 'LZ4Compressor'}", "{'enabled': 'false'}"})
  void shouldNotServeTheDataOfADroppedTable(String compression) throws Exception {
    Checked checked = liveAgain(NodeOptions.agentJar(), compression);
    checked.assertAllRight(REBIRTHS * ROWS);
  }

  @Test
  void shouldServeWrongDataIfBlocksWereNamedByPath() throws Exception {
    Path broken =
        PathKeyedAgent.make(
            NodeOptions.agentJar(), Files.createTempFile("nvcache-path-keyed", ".jar"));
    try {
      Checked checked = liveAgain(broken, "{'enabled': 'false'}");
      assertThat(checked.wrong()).isPositive();
      assertThat(checked.wrong() + checked.failed()).isGreaterThan(ROWS / 10);
    } finally {
      Files.delete(broken);
    }
  }

  /** Fills a table, reads all of it, drops it and makes it again, with other values. */
  private static Checked liveAgain(Path agent, String compression) throws Exception {
    NodeOptions options = NodeOptions.of(NodeOptions.FIRST, "reuse").withAgent(agent, SETTINGS);
    Checked all = new Checked();
    try (CassandraNode node = CassandraNode.start(options);
        CqlSession session = node.session();
        NodeJmx jmx = node.jmx()) {
      session.execute(Rows.keyspaceDdl("ks", 1));
      List<String> namesBefore = List.of();
      for (int life = 0; life < REBIRTHS; life++) {
        session.execute(Rows.ddl("ks.t", "ID = " + ID + " AND compression = " + compression));
        Rows rows = new Rows(session, "ks.t", 7);
        rows.write(0, ROWS, life);
        jmx.flush("ks", "t");
        List<String> names = dataFiles(options.data());
        assertThat(names).isNotEmpty();
        if (life > 0) {
          assertThat(names).as("the file names of the next life").isEqualTo(namesBefore);
        }
        namesBefore = names;
        jmx.awaitServing();
        all.add(rows.readEach(ROWS, life));
        long hits = jmx.cache("Hits");
        rows.readEach(ROWS, life);
        assertThat(jmx.cache("Hits") - hits).as("hits").isGreaterThan(ROWS / 2);
        session.execute("DROP TABLE ks.t");
      }
    }
    return all;
  }

  private static List<String> dataFiles(Path data) throws Exception {
    try (Stream<Path> files = Files.walk(data.resolve("ks"))) {
      return files.map(Path::toString).filter(path -> path.endsWith("-Data.db")).sorted().toList();
    }
  }
}
