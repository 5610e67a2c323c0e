// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A node that is stopped or killed, and started again on its data and its cache. */
class WarmRestartIT {
  private static final int ROWS = 40_000;
  private static final String ID = "11111111-2222-1333-8444-555555555555";
  private static final String SETTINGS =
      "nvcache.capacity.bytes=134217728,nvcache.policies=admit-all,nvcache.overhead.target=10,"
          + "nvcache.smallbypass.dram.bytes=0,nvcache.block.max.bytes=65536,nvcache.medium=flash,"
          + "nvcache.path=";

  @ParameterizedTest
  @CsvSource({
    "true, false, false, 0.95, {'enabled': 'false'}",
    "true, false, false, 0.95, {'class': 'LZ4Compressor'}",
    "true, true, false, 0.5, {'enabled': 'false'}",
    "false, false, false, 0.95, {'enabled': 'false'}",
    "false, false, true, 0.95, {'enabled': 'false'}",
    "false, true, false, 0.5, {'enabled': 'false'}"
  })
  void shouldServeTheFirstPassAfterARestart(
      boolean uniqueNames, boolean killed, boolean compacted, double leastRatio, String compression)
      throws Exception {
    NodeOptions options = NodeOptions.of(NodeOptions.FIRST, "warm");
    Path flash = options.directory().resolve("flash");
    options.withAgent(SETTINGS + flash);
    options.withYaml("uuid_sstable_identifiers_enabled", Boolean.toString(uniqueNames));
    CassandraNode first = CassandraNode.start(options);
    try (CqlSession session = first.session();
        NodeJmx jmx = first.jmx()) {
      session.execute(Rows.keyspaceDdl("ks", 1));
      session.execute(Rows.ddl("ks.t", "ID = " + ID + " AND compression = " + compression));
      Rows rows = new Rows(session, "ks.t", 5);
      rows.write(0, ROWS, 0);
      jmx.flush("ks", "t");
      assertThat(isUnique(options)).isEqualTo(uniqueNames);
      if (compacted) {
        jmx.compact("ks", "t");
      }
      jmx.awaitServing();
      rows.readEach(ROWS, 0).assertAllRight(ROWS);
    }
    stop(first, killed);

    CassandraNode second = CassandraNode.start(options);
    try (CqlSession session = second.session();
        NodeJmx jmx = second.jmx()) {
      jmx.awaitServing();
      awaitRestored(jmx);
      assertThat(jmx.cache("RestoredBlocks")).isPositive();
      Rows rows = new Rows(session, "ks.t", 5);
      long lookups = jmx.cache("Lookups");
      long hits = jmx.cache("Hits");
      rows.readEach(ROWS, 0).assertAllRight(ROWS);
      double ratio = (double) (jmx.cache("Hits") - hits) / (jmx.cache("Lookups") - lookups);
      assertThat(ratio).isGreaterThan(leastRatio);
      assertThat(jmx.cache("ChecksumFailures")).isZero();
      assertThat(jmx.bypasses("failure")).isZero();
      // The same table again, with other values, in files that may have the same names.
      session.execute("DROP TABLE ks.t");
      session.execute(Rows.ddl("ks.t", "ID = " + ID + " AND compression = " + compression));
      rows = new Rows(session, "ks.t", 5);
      rows.write(0, ROWS, 1);
      jmx.flush("ks", "t");
      rows.readEach(ROWS, 1).assertAllRight(ROWS);
    }
    stop(second, killed);

    try (CassandraNode third = CassandraNode.start(options);
        CqlSession session = third.session();
        NodeJmx jmx = third.jmx()) {
      jmx.awaitServing();
      awaitRestored(jmx);
      new Rows(session, "ks.t", 5).readEach(ROWS, 1).assertAllRight(ROWS);
      assertThat(jmx.cache("ChecksumFailures")).isZero();
    }
    Files.delete(flash);
  }

  private static void stop(CassandraNode node, boolean killed) throws InterruptedException {
    if (killed) {
      node.kill();
    } else {
      node.stop();
    }
  }

  private static void awaitRestored(NodeJmx jmx) throws Exception {
    while (jmx.text("Restore").startsWith("restoring")) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static boolean isUnique(NodeOptions options) throws Exception {
    try (Stream<Path> files = Files.walk(options.data().resolve("ks"))) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("-Data.db"))
              .toList();
      assertThat(names).isNotEmpty();
      return names.get(0).matches("[a-z]+-[0-9a-z]{4}_[0-9a-z]{4}_[0-9a-z]{18}-[a-z]+-Data.db");
    }
  }
}
