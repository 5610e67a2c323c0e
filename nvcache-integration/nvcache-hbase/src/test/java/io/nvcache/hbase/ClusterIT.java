// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.hfile.BlockCacheUtil;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServerWrapper;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What happens to regions, in a cluster of two servers with NVCache: every value is right and the
 * newest, nothing is leaked, and nothing is left behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterIT {
  private static final int ROWS = 4000;

  private LocalCluster cluster;

  @BeforeAll
  void start() throws Exception {
    cluster = new LocalCluster(2, LocalCluster.settings());
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
  }

  @AfterEach
  void assertTidy() throws Exception {
    cluster.assertNothingLeaks();
    assertOnlyServedFilesAreCached();
    assertDataSetIsWhatIsServed();
  }

  private VersionedTable loaded(String name) throws Exception {
    VersionedTable table = VersionedTable.create(cluster.connection(), name);
    table.write(0, ROWS);
    cluster.admin().flush(table.name());
    table.check(2000);
    long before = cluster.hits();
    table.check(2000);
    assertThat(cluster.hits()).as("hits of %s", name).isGreaterThan(before + 1000);
    return table;
  }

  /** By the names of what is read: a link, as after a restore, reads a file of another name. */
  private Set<String> servedFiles(HRegionServer server) {
    Set<String> names = new HashSet<>();
    for (HRegion region : server.getRegions()) {
      for (HStore store : region.getStores()) {
        store.getStorefiles().forEach(file -> names.add(nameOfRead(file)));
        store
            .getStoreEngine()
            .getStoreFileManager()
            .getCompactedfiles()
            .forEach(file -> names.add(nameOfRead(file)));
      }
    }
    return names;
  }

  private static String nameOfRead(HStoreFile file) {
    return file.getReader() == null
        ? file.getPath().getName()
        : file.getReader().getHFileReader().getPath().getName();
  }

  private static Map<String, Integer> cachedFiles(HRegionServer server) {
    Map<String, Integer> blocks = new HashMap<>();
    for (CachedBlock block : LocalCluster.cache(server)) {
      blocks.merge(block.getFilename(), 1, Integer::sum);
    }
    return blocks;
  }

  private void assertOnlyServedFilesAreCached() throws Exception {
    for (HRegionServer server : cluster.servers()) {
      LocalCluster.await(
          () -> "blocks of dead files " + deadFiles(server) + " on " + server.getServerName(),
          () -> {
            // Compacted files are archived by a chore.
            server.getRegions().forEach(ClusterIT::discharge);
            return deadFiles(server).isEmpty();
          });
    }
  }

  /** Blocks by the names of files that the server does not serve. */
  private Map<String, Integer> deadFiles(HRegionServer server) {
    Map<String, Integer> blocks = cachedFiles(server);
    blocks.keySet().removeAll(servedFiles(server));
    return blocks;
  }

  private static void discharge(HRegion region) {
    try {
      for (HStore store : region.getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void assertDataSetIsWhatIsServed() throws Exception {
    for (HRegionServer server : cluster.servers()) {
      LocalCluster.await(
          "the data set of " + server.getServerName(),
          () -> {
            Map<String, Long> lengths = new HashMap<>();
            for (HRegion region : server.getRegions()) {
              for (HStore store : region.getStores()) {
                store
                    .getStorefiles()
                    .forEach(
                        file -> lengths.put(file.getPath().getName(), file.getReader().length()));
              }
            }
            long bytes = lengths.values().stream().mapToLong(Long::longValue).sum();
            // Unknown, that is -1, until the server had a file.
            return LocalCluster.engine(server).control().dataSet().bytes().orElse(0) == bytes;
          });
    }
  }

  @Test
  void shouldServeTheNewestValuesAfterFlushesAndAMajorCompaction() throws Exception {
    VersionedTable table = loaded("compacted");
    for (int round = 0; round < 3; round++) {
      table.write(round * 500, ROWS);
      cluster.admin().flush(table.name());
      table.check(1000);
    }
    HStore store = cluster.regions(table.name()).get(0).getStore(VersionedTable.FAMILY);
    assertThat(store.getStorefilesCount()).isGreaterThan(1);
    cluster.admin().majorCompact(table.name());
    LocalCluster.await("the compaction", () -> store.getStorefilesCount() == 1);
    table.check(2000);
    table.checkAll();
  }

  @Test
  void shouldServeTheDaughtersOfASplitRegion() throws Exception {
    VersionedTable table = loaded("split");
    cluster.admin().split(table.name(), VersionedTable.row(ROWS / 3));
    LocalCluster.await("the split", () -> cluster.regions(table.name()).size() == 2);
    table.check(2000);
    table.write(0, ROWS / 2);
    table.check(1000);
    cluster.admin().flush(table.name());
    compactDaughters(table);
    table.check(2000);
    table.checkAll();
  }

  /**
   * Until neither refers to its parent's file: a daughter that is just opening compacts nothing.
   */
  private void compactDaughters(VersionedTable table) throws Exception {
    for (HRegion daughter : cluster.regions(table.name())) {
      LocalCluster.await(
          "the own files of " + daughter,
          () -> {
            try {
              daughter.compact(true);
            } catch (java.io.IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
            discharge(daughter); // HBase 2.6.4 counts compacted halves until they are archived.
            return daughter.getStores().stream().noneMatch(HStore::hasReferences);
          });
    }
  }

  @Test
  void shouldMergeRegions() throws Exception {
    VersionedTable table = loaded("merged");
    cluster.admin().split(table.name(), VersionedTable.row(ROWS / 2));
    LocalCluster.await("the split", () -> cluster.regions(table.name()).size() == 2);
    compactDaughters(table);
    table.check(1000);
    byte[][] names =
        cluster.admin().getRegions(table.name()).stream()
            .map(RegionInfo::getEncodedNameAsBytes)
            .toArray(byte[][]::new);
    cluster.admin().mergeRegionsAsync(names, true).get();
    LocalCluster.await("the merge", () -> cluster.regions(table.name()).size() == 1);
    table.check(2000);
    table.checkAll();
  }

  @Test
  void shouldFollowARegionFromServerToServer() throws Exception {
    VersionedTable table = loaded("moved");
    RegionInfo region = cluster.admin().getRegions(table.name()).get(0);
    for (int i = 0; i < 4; i++) {
      HRegionServer from = cluster.serverOf(region);
      Set<String> files = new HashSet<>();
      HStore store = cluster.regions(table.name()).get(0).getStore(VersionedTable.FAMILY);
      store.getStorefiles().forEach(file -> files.add(file.getPath().getName()));
      // As masters of HBase 2.6.4 and later have it, unless their own site says otherwise.
      store.getCacheConfig().setEvictOnClose(false);
      assertThat(cachedFiles(from).keySet()).containsAnyElementsOf(files);
      cluster.admin().move(region.getEncodedNameAsBytes(), cluster.otherThan(from).getServerName());
      LocalCluster.await(
          "the move",
          () ->
              cluster.servers().stream()
                  .anyMatch(
                      server ->
                          server != from
                              && server.getOnlineRegion(region.getRegionName()) != null));
      assertThat(cachedFiles(from).keySet()).doesNotContainAnyElementsOf(files);
      table.write(i * 100, i * 100 + 50); // What the old server must not know.
      table.check(1000);
    }
  }

  @Test
  void shouldServeBulkLoadedFiles() throws Exception {
    VersionedTable table = loaded("bulkloaded");
    FileSystem fileSystem = cluster.util().getTestFileSystem();
    Path directory = cluster.util().getDataTestDirOnTestFS("bulk");
    Path file = new Path(new Path(directory, "f"), "loaded");
    try (HFile.Writer writer =
        HFile.getWriterFactory(cluster.configuration(), new CacheConfig(cluster.configuration()))
            .withPath(fileSystem, file)
            .withFileContext(new HFileContextBuilder().withBlockSize(4096).build())
            .create()) {
      for (int row = 1000; row < 2000; row++) {
        writer.append(
            new org.apache.hadoop.hbase.KeyValue(
                VersionedTable.row(row),
                VersionedTable.FAMILY,
                VersionedTable.bytes("q"),
                System.currentTimeMillis(),
                VersionedTable.value(row, 77)));
      }
    }
    BulkLoadHFiles.create(cluster.configuration()).bulkLoad(table.name(), directory);
    table.noteWritten(1000, 2000, 77);
    table.check(2000);
    table.checkAll();
  }

  @Test
  void shouldServeARestoredSnapshot() throws Exception {
    VersionedTable table = loaded("restored");
    Map<Integer, Integer> then = table.versions();
    Admin admin = cluster.admin();
    admin.snapshot("then", table.name());
    table.write(0, ROWS);
    admin.flush(table.name());
    admin.majorCompact(table.name());
    table.check(1000);
    admin.disableTable(table.name());
    admin.restoreSnapshot("then");
    admin.enableTable(table.name());
    table.restore(then);
    table.check(2000);
    table.checkAll();
  }

  @Test
  void shouldBeClearedOnDemand() throws Exception {
    VersionedTable table = loaded("cleared");
    long evicted = cluster.admin().clearBlockCache(table.name()).getEvictedBlocks();
    assertThat(evicted).isGreaterThan(ROWS / 50);
    Set<String> files = new HashSet<>();
    for (HRegion region : cluster.regions(table.name())) {
      region
          .getStore(VersionedTable.FAMILY)
          .getStorefiles()
          .forEach(file -> files.add(file.getPath().getName()));
    }
    for (HRegionServer server : cluster.servers()) {
      assertThat(cachedFiles(server).keySet()).doesNotContainAnyElementsOf(files);
    }
    assertDataSetIsWhatIsServed();
    table.check(2000);
  }

  @Test
  void shouldKeepNothingOfADroppedTable() throws Exception {
    VersionedTable table = loaded("dropped");
    cluster.admin().disableTable(table.name());
    cluster.admin().deleteTable(table.name());
    assertOnlyServedFilesAreCached();
    VersionedTable again = loaded("dropped");
    again.checkAll();
  }

  @Test
  void shouldServeWhatADeadServerServed() throws Exception {
    VersionedTable table = loaded("orphaned");
    table.write(0, ROWS / 2); // Only in the log and in memory.
    HRegionServer third = cluster.addServer();
    RegionInfo region = cluster.admin().getRegions(table.name()).get(0);
    HRegionServer doomed = cluster.serverOf(region);
    NvHBaseBlockCache cache = LocalCluster.cache(doomed);
    doomed.abort("meant to die");
    LocalCluster.await(
        "the recovery",
        () ->
            cluster.servers().stream()
                .anyMatch(
                    server ->
                        server != doomed
                            && server.getOnlineRegion(region.getRegionName()) != null));
    table.check(2000);
    table.checkAll();
    assertThat(third.isOnline()).isTrue();
    LocalCluster.await("the dead server", () -> !doomed.isAlive());
    assertThat(
            cache.getBlock(
                new org.apache.hadoop.hbase.io.hfile.BlockCacheKey("any", 0), true, false, true))
        .isNull();
  }

  @Test
  void shouldTellTheTruthOnPagesAndInMetrics() throws Exception {
    VersionedTable table = loaded("watched");
    HRegionServer server = cluster.serverOf(cluster.admin().getRegions(table.name()).get(0));
    NvHBaseBlockCache cache = LocalCluster.cache(server);
    MetricsRegionServerWrapper metrics = server.getMetrics().getRegionServerWrapper();
    assertThat(metrics.getL2CacheHitCount()).isEqualTo(cache.getStats().getHitCount());
    assertThat(metrics.getL2CacheMissCount()).isEqualTo(cache.getStats().getMissCount());
    // A compaction's lookups are none of HBase's requests; some that close halves are none of ours.
    assertThat(cache.getStats().getHitCount())
        .isCloseTo(cache.engine().stats().hits(), withinPercentage(10));
    assertThat(cache.getStats().getRequestCount())
        .isCloseTo(cache.engine().stats().lookups(), withinPercentage(10));
    assertThat(metrics.getBlockCacheCount()).isGreaterThanOrEqualTo(cache.getBlockCount());

    assumeThat(LocalCluster.hasPages()).as("pages in HBase's jar").isTrue();
    String page = get(server, "/rs-status");
    assertThat(page).contains(NvHBaseBlockCache.class.getSimpleName());
    String json = get(server, "/rs-status?format=json&bcn=L2");
    assertThat(json).doesNotContain("Exception");
    String byFile = get(server, "/rs-status?format=json&bcv=file&bcn=L2");
    // HBase 2.6.4 leaves private fields out of its JSON, and shows no file of any cache.
    if (BlockCacheUtil.toJSON("a file", new TreeSet<>()).contains("a file")) {
      assertThat(byFile).contains(cachedFiles(server).keySet().iterator().next());
    }
    String jmx = get(server, "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=NvCache,*");
    assertThat(jmx).contains("\"OffersAdmitted\"").contains("\"HitRatioPercent\"");
  }

  private static String get(HRegionServer server, String page) throws Exception {
    return ServerPage.get(server.getInfoServer().getPort(), page);
  }

  @Test
  void shouldTellScansFromReads() throws Exception {
    VersionedTable table = VersionedTable.create(cluster.connection(), "scanned");
    table.write(0, ROWS);
    cluster.admin().flush(table.name());
    HRegionServer server = cluster.serverOf(cluster.admin().getRegions(table.name()).get(0));
    long scanned = LocalCluster.engine(server).stats().offers(io.nvcache.Source.SCAN);
    table.checkAll();
    assertThat(LocalCluster.engine(server).stats().offers(io.nvcache.Source.SCAN) - scanned)
        .isGreaterThan(ROWS * 500L / 4096 / 2);
    assertThat(TableName.valueOf("scanned")).isEqualTo(table.name());
  }
}
