// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** More than 100 MB on the disk of a real node, read through the cache, value by value. */
class ServedReadsIT {
  private static final int ROWS = 140_000;
  private static final int READS = 15_000;
  private static final int AFTER_THE_END = 200;
  private static final String SETTINGS =
      "nvcache.capacity.bytes=536870912,nvcache.policies=admit-all,nvcache.overhead.target=10,"
          + "nvcache.smallbypass.dram.bytes=0,nvcache.summary.seconds=10";

  @ParameterizedTest
  @CsvSource({
    "5.0.2, big, LZ4Compressor",
    "newest, big, none",
    "newest, bti, LZ4Compressor",
    "5.0.2, bti, none"
  })
  void shouldServeWarmReadsWithoutTouchingTheFiles(
      String version, String format, String compression) throws Exception {
    NodeOptions options = NodeOptions.of(version, "served").withFormat(format).withAgent(SETTINGS);
    try (CassandraNode node = CassandraNode.start(options);
        CqlSession session = node.session()) {
      session.execute(Rows.keyspaceDdl("ks", 1));
      session.execute(Rows.ddl("ks.t", compression(compression)));
      Rows rows = new Rows(session, "ks.t", 1);
      rows.write(0, ROWS, 0);
      try (NodeJmx jmx = node.jmx()) {
        jmx.flush("ks", "t");
        jmx.compact("ks", "t");
        assertThat(jmx.liveBytes("ks", "t")).isGreaterThan(100_000_000);

        rows.readEach(ROWS, 0).assertAllRight(ROWS);
        jmx.awaitServing();
        shouldHit(jmx, rows);
        shouldNotRead(node, jmx, rows);
        shouldNotNeedTheFiles(options, jmx, rows);
        assertThat(jmx.cache("ChecksumFailures")).isZero();
        assertThat(jmx.bypasses("failure")).isZero();
      }
      assertThat(node.output()).contains("NVCache serves the SSTable reads of this node");
    }
  }

  private static void shouldHit(NodeJmx jmx, Rows rows) throws Exception {
    long lookups = jmx.metric("Requests").longValue();
    long hits = jmx.metric("Hits").longValue();
    rows.read(READS, ROWS, 0, 2).assertAllRight(READS);
    Thread.sleep(200); // The metrics are a snapshot of up to 100 ms ago.
    double ratio =
        (jmx.metric("Hits").doubleValue() - hits)
            / (jmx.metric("Requests").doubleValue() - lookups);
    assertThat(ratio).as("warm hit ratio").isGreaterThanOrEqualTo(0.99);
  }

  /** The kernel's own count of what read calls returned, with the cache and without it. */
  private static void shouldNotRead(CassandraNode node, NodeJmx jmx, Rows rows) throws Exception {
    ProcessIo before = node.io();
    rows.read(READS, ROWS, 0, 3).assertAllRight(READS);
    ProcessIo cached = node.io().minus(before);

    jmx.serving(false);
    before = node.io();
    rows.read(READS, ROWS, 0, 3).assertAllRight(READS);
    ProcessIo uncached = node.io().minus(before);
    jmx.serving(true);

    System.out.printf(
        "bytes that read calls returned per read: %d cached, %d uncached%n",
        cached.readBytes() / READS, uncached.readBytes() / READS);
    assertThat(uncached.readBytes()).isGreaterThan(10 * cached.readBytes());
  }

  /** Zeroes the data files under the running node: what is served from the cache stays right. */
  private static void shouldNotNeedTheFiles(NodeOptions options, NodeJmx jmx, Rows rows)
      throws Exception {
    long missesBefore;
    int passes = 0;
    do {
      assertThat(passes++).as("passes until all chunks are cached").isLessThan(4);
      missesBefore = jmx.cache("Misses");
      rows.readEach(ROWS, 0).assertAllRight(ROWS);
      Thread.sleep(200); // The counts are a snapshot of up to 100 ms ago.
    } while (jmx.cache("Misses") > missesBefore);

    for (Path file : dataFiles(options.data().resolve("ks"))) {
      zero(file);
    }
    rows.read(READS, ROWS, 0, 4).assertAllRight(READS);
    jmx.serving(false);
    Checked fromFiles = rows.read(AFTER_THE_END, ROWS, 0, 5);
    assertThat(fromFiles.wrong() + fromFiles.failed()).as("%s", fromFiles).isEqualTo(AFTER_THE_END);
  }

  private static List<Path> dataFiles(Path keyspace) throws Exception {
    try (Stream<Path> files = Files.walk(keyspace)) {
      return files.filter(file -> file.toString().endsWith("-Data.db")).toList();
    }
  }

  private static void zero(Path file) throws Exception {
    byte[] zeroes = new byte[1 << 20];
    try (RandomAccessFile data = new RandomAccessFile(file.toFile(), "rw")) {
      long left = data.length();
      while (left > 0) {
        int part = (int) Math.min(left, zeroes.length);
        data.write(zeroes, 0, part);
        left -= part;
      }
    }
  }

  static String compression(String name) {
    return name.equals("none")
        ? "compression = {'enabled': 'false'}"
        : "compression = {'class': '" + name + "'}";
  }
}
