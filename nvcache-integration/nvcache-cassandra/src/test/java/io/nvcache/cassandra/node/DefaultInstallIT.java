// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import org.junit.jupiter.api.Test;

/** Data of a hundredth of the machine's memory, with the capacity set and nothing else. */
class DefaultInstallIT {
  private static final int ROWS = 20_000;
  private static final int READS = 60_000;
  private static final String NODE = "org.apache.cassandra.db:type=NVCache";
  private static final String CAPACITY = "nvcache.capacity.bytes=67108864";

  @Test
  void shouldServeByDefaultAndSayWhyWhereItWasToldToBypass() throws Exception {
    NodeOptions options = NodeOptions.of(NodeOptions.FIRST, "default");
    double byDefault;
    try (CassandraNode node = CassandraNode.start(options.withAgent(CAPACITY));
        NodeJmx jmx = node.jmx()) {
      byDefault = hitRatio(node, jmx);
      assertThat(jmx.attribute(NODE, "Serving")).isEqualTo(true);
      assertThat(node.output())
          .contains(
              "NVCache serves the SSTable reads of this node: 64 MiB of native memory, policies"
                  + " default, overhead target 10.00 %, small bypass off");
    }
    NodeOptions told = NodeOptions.of(NodeOptions.FIRST, "told");
    String bypass = CAPACITY + ",nvcache.smallbypass.dram.bytes=68719476736";
    try (CassandraNode node = CassandraNode.start(told.withAgent(bypass));
        NodeJmx jmx = node.jmx()) {
      assertThat(hitRatio(node, jmx)).isZero();
      assertThat(jmx.state()).isEqualTo("BYPASSING");
      assertThat((String) jmx.attribute(NODE, "Problem"))
          .contains("set nvcache.smallbypass.dram.bytes=0 (over JMX: SmallBypassDramBytes=0)");
      assertThat(node.output().lines())
          .filteredOn(
              line -> line.contains("fits in 64 GiB of DRAM: nothing is cached; set nvcache"))
          .singleElement()
          .asString()
          .contains("WARN");
      jmx.attribute(NodeJmx.CACHE, "SmallBypassDramBytes", 0L);
      double tuned = hitRatio(node, jmx);
      assertThat(tuned).isGreaterThan(0.5);
      assertThat(byDefault).isGreaterThanOrEqualTo(0.8 * tuned);
    }
  }

  /** Of reads at random, the second half of which counts. */
  private static double hitRatio(CassandraNode node, NodeJmx jmx) throws Exception {
    try (CqlSession session = node.session()) {
      session.execute("DROP KEYSPACE IF EXISTS ks");
      session.execute(Rows.keyspaceDdl("ks", 1));
      session.execute(Rows.ddl("ks.t", "compression = {'class': 'LZ4Compressor'}"));
      Rows rows = new Rows(session, "ks.t", 1);
      rows.write(0, ROWS, 0);
      jmx.flush("ks", "t");
      for (int attempt = 0; attempt < 600 && !jmx.has(NodeJmx.CACHE); attempt++) {
        Thread.sleep(100);
      }
      for (int part = 0; part < 6; part++) { // Seconds, so that a bypass is seen.
        rows.read(READS / 12, ROWS, 0, part).assertAllRight(READS / 12);
        Thread.sleep(1000);
      }
      long lookups = jmx.cache("Lookups");
      long hits = jmx.cache("Hits");
      rows.read(READS / 2, ROWS, 0, 7).assertAllRight(READS / 2);
      Thread.sleep(200); // The counts are a snapshot of up to 100 ms ago.
      return (double) (jmx.cache("Hits") - hits) / (jmx.cache("Lookups") - lookups);
    }
  }
}
