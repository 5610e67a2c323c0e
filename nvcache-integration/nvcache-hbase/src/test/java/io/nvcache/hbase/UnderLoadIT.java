// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.hbase.site.NvCacheConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Flushes, a major compaction, a split, moves, and the death of a server, all of it while clients
 * read and write: no read is wrong, none is stale, no block is leaked.
 */
class UnderLoadIT {
  private static final long SEED = 20261122;
  private static final int RECORDS = 6000;
  private static final int ROWS = 4000;

  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Future<?>> load = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"combined", "tiered"})
  void shouldReadTheNewestWhateverHappensToTheRegions(String topology) throws Exception {
    Configuration settings = LocalCluster.settings();
    settings.set(NvCacheConfiguration.TOPOLOGY, topology);
    // Not all of the data, or nothing would be looked for below.
    settings.setLong("hfile.onheap.block.cache.fixed.size", 1 << 20);
    settings.set(NvCacheConfiguration.POLICIES, "default");
    settings.setLong(NvCacheConfiguration.CAPACITY_BYTES, 4 << 20);
    settings.setInt(NvCacheConfiguration.MAX_BLOCK_BYTES, 64 << 10);
    ExecutorService threads = Executors.newCachedThreadPool();
    try (LocalCluster cluster = new LocalCluster(3, settings)) {
      VersionedTable ycsb = VersionedTable.create(cluster.connection(), "loaded-ycsb");
      CheckedWorkload workload = CheckedWorkload.of("A", RECORDS, RECORDS);
      workload.load(cluster.connection(), ycsb.name(), RECORDS);
      VersionedTable versions = VersionedTable.create(cluster.connection(), "loaded-versions");
      FreshRows rows = new FreshRows(cluster.connection(), versions, ROWS);
      rows.write(1);
      cluster.admin().flush(ycsb.name());
      cluster.admin().flush(versions.name());
      long hits = cluster.hits();

      start(threads, () -> workload.run(cluster.connection(), ycsb.name(), 400));
      start(threads, () -> rows.write(7));
      for (int reader = 0; reader < 2; reader++) {
        Random random = new Random(SEED + reader);
        start(threads, () -> rows.read(200, random));
      }
      for (VersionedTable table : List.of(ycsb, versions)) {
        disturb(cluster, table);
      }
      assertThat(cluster.hits()).isGreaterThan(hits);
      kill(cluster, versions);
      long before = rows.reads();
      LocalCluster.await("reads after the recovery", () -> isOver() || rows.reads() > before + 500);
      over.set(true);
      for (Future<?> one : load) {
        one.get();
      }
      System.out.printf(
          "versions under load, %s: %d reads, %d stale, %d wrong%n",
          topology, rows.reads(), rows.stale(), rows.wrong());
      assertThat(rows.stale()).isZero();
      assertThat(rows.wrong()).isZero();
      assertThat(rows.reads()).isGreaterThan(1000);
      workload.assertRight("YCSB A under load, " + topology, RECORDS);
      cluster.assertNothingLeaks();
    } finally {
      over.set(true);
      threads.shutdownNow();
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private void start(ExecutorService threads, Step step) {
    Callable<Void> loop =
        () -> {
          while (!over.get()) {
            step.run();
          }
          return null;
        };
    load.add(threads.submit(loop));
  }

  /** Whether a client gave up; what it met is told at the end. */
  private boolean isOver() {
    return load.stream().anyMatch(Future::isDone);
  }

  private static void disturb(LocalCluster cluster, VersionedTable table) throws Exception {
    Admin admin = cluster.admin();
    admin.flush(table.name());
    HStore store = cluster.regions(table.name()).get(0).getStore(VersionedTable.FAMILY);
    admin.majorCompact(table.name());
    LocalCluster.await("the compaction", () -> store.getStorefilesCount() == 1);
    admin.split(table.name(), middle(table));
    LocalCluster.await("the split", () -> cluster.regions(table.name()).size() == 2);
    for (RegionInfo region : admin.getRegions(table.name())) {
      HRegionServer from = cluster.serverOf(region);
      admin.move(region.getEncodedNameAsBytes(), cluster.otherThan(from).getServerName());
      LocalCluster.await("the move", () -> isServed(cluster, region, from));
    }
    admin.flush(table.name());
  }

  private static byte[] middle(VersionedTable table) {
    return table.name().getNameAsString().endsWith("ycsb")
        ? VersionedTable.bytes("user5")
        : VersionedTable.row(ROWS / 2);
  }

  private static void kill(LocalCluster cluster, VersionedTable table) throws Exception {
    RegionInfo region = cluster.admin().getRegions(table.name()).get(0);
    HRegionServer doomed = cluster.serverOf(region);
    doomed.abort("meant to die");
    LocalCluster.await("the recovery", () -> isServed(cluster, region, doomed));
  }

  private static boolean isServed(LocalCluster cluster, RegionInfo region, HRegionServer notBy) {
    return cluster.servers().stream()
        .anyMatch(
            server -> server != notBy && server.getOnlineRegion(region.getRegionName()) != null);
  }
}
