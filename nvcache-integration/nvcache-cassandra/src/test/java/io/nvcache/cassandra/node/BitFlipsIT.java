// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A medium that forgets: bits change in the file that the cache has mapped. */
class BitFlipsIT {
  private static final int ROWS = 20_000;
  private static final int CAPACITY_BYTES = 64 << 20;
  private static final int FLIPS = 20_000;

  @Test
  void shouldReadTheFilesWhereTheMediumIsWrong() throws Exception {
    NodeOptions options = NodeOptions.of(NodeOptions.NEWEST, "flips");
    Path medium = options.directory().resolve("medium");
    options.withAgent(
        "nvcache.capacity.bytes="
            + CAPACITY_BYTES
            + ",nvcache.medium=mapped,nvcache.path="
            + medium
            + ",nvcache.policies=admit-all,nvcache.overhead.target=10"
            + ",nvcache.smallbypass.dram.bytes=0");
    try (CassandraNode node = CassandraNode.start(options);
        CqlSession session = node.session();
        NodeJmx jmx = node.jmx()) {
      session.execute(Rows.keyspaceDdl("ks", 1));
      session.execute(Rows.ddl("ks.plain", "compression = {'enabled': 'false'}"));
      session.execute(Rows.ddl("ks.packed", "compression = {'class': 'LZ4Compressor'}"));
      for (String table : new String[] {"plain", "packed"}) {
        Rows rows = new Rows(session, "ks." + table, 3);
        rows.write(0, ROWS, 0);
        jmx.flush("ks", table);
        jmx.awaitServing();
        rows.readEach(ROWS, 0).assertAllRight(ROWS);
        long before = jmx.cache("ChecksumFailures");
        flipBits(medium);
        rows.readEach(ROWS, 0).assertAllRight(ROWS);
        assertThat(jmx.cache("ChecksumFailures") - before).as(table).isPositive();
        // So many that the cache gives up the medium for a while; for the next table it has to try.
        session.execute("TRUNCATE ks." + table);
        jmx.invoke(NodeJmx.CACHE, "returnToService");
      }
      assertThat(jmx.bypasses("failure")).isZero();
      assertThat(node.output()).contains("the cache is out of service: blocks came back changed");
    }
  }

  private static void flipBits(Path medium) throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    try (RandomAccessFile file = new RandomAccessFile(medium.toFile(), "rw")) {
      for (int flip = 0; flip < FLIPS; flip++) {
        long at = random.nextLong(CAPACITY_BYTES);
        file.seek(at);
        int old = file.read();
        file.seek(at);
        file.write(old ^ 1 << random.nextInt(8));
      }
    }
  }
}
