// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.bench.sample.FileTree;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A server whose NVCache has two volumes, one of which is pulled: its file is deleted while clients
 * read. The cache has to go on with the other one, and no call may fail. For one thread.
 */
final class DayVolumes {
  /** As the turns of the day in which caches fill. */
  private static final int WARMING_TURNS = 2;

  /** On several volumes blocks are placed in regions, which need some room. */
  private static final long LEAST_CAPACITY_BYTES = 64 << 20;

  private static final int LOOK_MILLIS = 100;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final String PHASE = "pulled";

  private final DaySettings settings;
  private final Path directory;

  /**
   * Prepares a server.
   *
   * @param directory of its data and its volumes
   */
  DayVolumes(DaySettings settings, Path directory) {
    this.settings = settings;
    this.directory = directory;
  }

  /**
   * Starts a server on a copy of the table, lets it warm up, and pulls a volume.
   *
   * @param data the table
   * @param facts gets what was measured
   */
  void pull(Path data, Measurements facts) throws IOException, InterruptedException {
    Path pulled = directory.resolve("volume-1");
    Path left = directory.resolve("volume-2");
    try (DayServer server =
        new DayServer(
            directory,
            DayEngine.NVCACHE_FLASH,
            settings,
            Map.of(
                "hbase.nvcache.path",
                pulled + "," + left,
                "hbase.nvcache.capacity.bytes",
                Long.toString(Math.max(LEAST_CAPACITY_BYTES, settings.capacityBytes()))))) {
      FileTree.copy(data, server.root());
      server.start();
      DayClient client = new DayClient(server, settings);
      for (int i = 0; i < WARMING_TURNS; i++) {
        client.turn(DayPhase.WARMING);
      }
      double before = hitRatio(server, client);
      long capacity = server.nvCache("CapacityBytes");
      Files.delete(pulled);
      awaitLoss(server);
      double share = (double) server.nvCache("CapacityBytes") / capacity;
      double after = hitRatio(server, client);
      facts
          .with("engine", DayEngine.NVCACHE_FLASH.label())
          .with("phase", PHASE)
          .add("volume_pulled_failed_reads", client.failedReads(), "reads")
          .add("volume_pulled_wrong_reads", client.wrongReads(), "reads")
          .add("volume_pulled_hits_ratio", after / before, "ratio")
          .add("volume_pulled_capacity_ratio", share, "ratio");
    }
  }

  /** Returns the hits of the second level alone, of those that were looked for in it in a turn. */
  private static double hitRatio(DayServer server, DayClient client)
      throws IOException, InterruptedException {
    long hits = server.nvCache("Hits");
    long lookups = server.nvCache("Lookups");
    client.turn(DayPhase.STEADY);
    return (double) (server.nvCache("Hits") - hits) / (server.nvCache("Lookups") - lookups);
  }

  private static void awaitLoss(DayServer server) throws IOException, InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (server.nvCache("LostDrives") == 0) {
      if (System.nanoTime() - until > 0) {
        throw new IOException("the cache has not noticed that the file of a volume was deleted");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }
}
