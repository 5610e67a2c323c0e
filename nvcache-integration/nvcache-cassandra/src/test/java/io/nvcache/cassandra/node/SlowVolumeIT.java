// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a cache gains a node whose tables lie on a volume of few reads a second, and are several
 * times as long as the memory that heap, caches and page cache have together: in a control group,
 * with Cassandra's chunk cache on. {@code scripts/cassandra-clients} makes volume and group and
 * starts this; without them it is skipped. That all values are right is checked; speeds depend on
 * the machine.
 */
class SlowVolumeIT {
  private static final String VOLUME = System.getProperty("nvcache.test.volume", "");
  private static final String FLASH = System.getProperty("nvcache.test.flash", "");
  private static final int ROWS = Integer.getInteger("nvcache.test.rows", 400_000);
  private static final int READS_A_SECOND = Integer.getInteger("nvcache.test.volumeReads", 1_000);
  private static final int WARMING_READS = Integer.getInteger("nvcache.test.warmingReads", 150_000);
  private static final int SECONDS = Integer.getInteger("nvcache.test.seconds", 40);
  private static final long NATIVE_BYTES = 256L << 20;
  private static final long FLASH_BYTES = 2L << 30;

  /** What the node has below its chunk cache: only what has to be set is set. */
  private enum Level {
    NONE(0, ""),
    NATIVE(NATIVE_BYTES, "nvcache.capacity.bytes=" + NATIVE_BYTES),
    FLASH(
        FLASH_BYTES,
        "nvcache.medium=flash,nvcache.capacity.bytes="
            + FLASH_BYTES
            + ",nvcache.path="
            + SlowVolumeIT.FLASH);

    private final long bytes;
    private final String settings;

    Level(long bytes, String settings) {
      this.bytes = bytes;
      this.settings = settings;
    }
  }

  /** What was counted while a node was read. */
  private record Measured(
      Level level, VolumeReads.Result reads, double hits, VolumeCounts volume, long written) {
    String row(Measured none) {
      return String.format(
          Locale.ROOT,
          "| %s | %d MiB | %.0f | %.2f | %.1f | %.1f | %s | %.2f | %.1f | %.0f |",
          level.name().toLowerCase(Locale.ROOT),
          level.bytes >> 20,
          reads.perSecond(),
          reads.perSecond() / none.reads.perSecond(),
          reads.micros(0.5) / 1e3,
          reads.micros(0.99) / 1e3,
          level == Level.NONE ? "-" : String.format(Locale.ROOT, "%.1f %%", 100 * hits),
          (double) volume.reads() / reads.count(),
          (double) volume.readBytes() / reads.count() / 1024,
          (double) written / reads.count());
    }
  }

  @Test
  void shouldMeasureReadsOfASlowVolume() throws Exception {
    assumeThat(VOLUME).as("started by scripts/cassandra-clients").isNotEmpty();
    NodeOptions options =
        NodeOptions.of(NodeOptions.NEWEST, "volume")
            .withStorage(Path.of(VOLUME, "storage"))
            .withHeap("512m")
            .withYaml("file_cache_enabled", "true")
            .withYaml("file_cache_size", "64MiB");
    write(options);
    forgetPages(options.data());
    options.withGroups(VolumeGroups.ofProperties());
    List<Measured> all = new ArrayList<>();
    for (Level level : Level.values()) {
      all.add(measure(options, level));
      forgetPages(options.data());
    }
    System.out.printf(
        Locale.ROOT,
        "%n%d rows of %d bytes on a volume of %d reads a second, %d threads, Zipf's law %.2f%n",
        ROWS,
        VolumeReads.VALUE_BYTES,
        READS_A_SECOND,
        VolumeReads.THREADS,
        VolumeReads.SKEW);
    System.out.println(
        "| below the chunk cache | capacity | reads/s | ÷ none | p50 ms | p99 ms | hits |"
            + " volume reads a read | KiB | bytes written a read |");
    System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (Measured measured : all) {
      System.out.println(measured.row(all.get(0)));
    }
  }

  private static void write(NodeOptions options) throws Exception {
    CassandraNode node = CassandraNode.start(options);
    try (CqlSession session = node.session();
        NodeJmx jmx = node.jmx()) {
      VolumeReads.createTable(session);
      new VolumeReads(session, ROWS).write();
      jmx.flush("ks", "t");
    } finally {
      node.stop();
    }
  }

  private static Measured measure(NodeOptions options, Level level) throws Exception {
    if (level == Level.NONE) {
      options.withoutAgent();
    } else {
      options.withAgent(level.settings);
    }
    CassandraNode node = CassandraNode.start(options);
    try (CqlSession session = node.session();
        NodeJmx jmx = node.jmx()) {
      VolumeReads reads = new VolumeReads(session, ROWS);
      if (level != Level.NONE) {
        jmx.awaitServing();
      }
      reads.read(WARMING_READS);
      VolumeGroups.limitReads(READS_A_SECOND);
      long hits = count(jmx, level, "Hits");
      long lookups = count(jmx, level, "Lookups");
      long written = count(jmx, level, "DeviceWrittenBytes");
      VolumeCounts before = VolumeCounts.now();
      VolumeReads.Result result = reads.readFor(SECONDS);
      VolumeCounts volume = VolumeCounts.now().minus(before);
      VolumeGroups.limitReads(0);
      Thread.sleep(200); // The counts are a snapshot of up to 100 ms ago.
      if (level != Level.NONE) {
        assertThat(jmx.cache("ChecksumFailures")).isZero();
        assertThat(jmx.bypasses("failure")).isZero();
        assertThat(jmx.cache("Hits")).isGreaterThan(hits);
      }
      return new Measured(
          level,
          result,
          (double) (count(jmx, level, "Hits") - hits)
              / Math.max(1, count(jmx, level, "Lookups") - lookups),
          volume,
          count(jmx, level, "DeviceWrittenBytes") - written);
    } finally {
      VolumeGroups.limitReads(0);
      node.stop();
    }
  }

  private static long count(NodeJmx jmx, Level level, String attribute) throws Exception {
    return level == Level.NONE ? 0 : jmx.cache(attribute);
  }

  /** Pages that are in memory already would count in no group. */
  private static void forgetPages(Path data) throws IOException, InterruptedException {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Process dd =
            new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
                .inheritIO()
                .start();
        assertThat(dd.waitFor()).isZero();
      }
    }
  }
}
