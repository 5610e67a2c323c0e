// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;

/**
 * ZooKeeper, HDFS or local files, a master and region servers with NVCache, in this JVM. HBase's
 * detector of blocks that were never released is on for every block.
 */
public final class LocalCluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /**
   * HBase from 2.6.3 on reads a block when it closes one half of a split file, in the first of
   * these methods, and never releases it; that version is told by what it asks the cache next. The
   * second is a test of HBase's that another class here runs in the same JVM.
   */
  private static final Pattern HOST_LEAK =
      Pattern.compile("HalfStoreFileReader\\.close|CacheTestUtils");

  /** Set where the servers are of a build of HBase for Hadoop 2, which can't use HDFS 3. */
  private static final boolean ON_LOCAL_FILES = Boolean.getBoolean("nvcache.it.localFiles");

  private static final long PINNED_BY_HOST_BYTES =
      Arrays.stream(org.apache.hadoop.hbase.io.hfile.BlockCache.class.getMethods())
              .anyMatch(method -> method.getName().equals("evictBlocksRangeByHfileName"))
          ? 256 << 10
          : 0;

  private final HBaseTestingUtility util;
  private final LocalHBaseCluster cluster;
  private final Connection connection;
  private final LongAdder leaks = new LongAdder();

  public LocalCluster(int regionServers, Configuration settings) throws Exception {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    RefCnt.detector.setLeakListener(
        (type, records) -> {
          if (records.contains("io.nvcache") && !HOST_LEAK.matcher(records).find()) {
            leaks.increment();
          }
        });
    this.util = new HBaseTestingUtility(settings);
    Configuration configuration = util.getConfiguration();
    configuration.setInt(HConstants.MASTER_INFO_PORT, -1);
    configuration.setInt(HConstants.REGIONSERVER_INFO_PORT, hasPages() ? 0 : -1);
    configuration.setBoolean(LocalHBaseCluster.ASSIGN_RANDOM_PORTS, false);
    configuration.setInt(HConstants.MASTER_PORT, 0);
    configuration.setInt(HConstants.REGIONSERVER_PORT, 0);
    configuration.setClass(
        HConstants.REGION_SERVER_IMPL, NvCacheRegionServer.class, HRegionServer.class);
    // HDFS's loggers of metrics want one logging library and no other.
    configuration.setInt("dfs.namenode.metrics.logger.period.seconds", 0);
    configuration.setInt("dfs.datanode.metrics.logger.period.seconds", 0);
    util.startMiniZKCluster();
    if (ON_LOCAL_FILES) {
      configuration.setBoolean("hbase.unsafe.stream.capability.enforce", false);
      DefaultMetricsSystem.setMiniClusterMode(true); // As HDFS's cluster does.
    } else {
      util.startMiniDFSCluster(1);
    }
    util.createRootDir();
    configuration.setInt("hbase.master.wait.on.regionservers.mintostart", regionServers);
    this.cluster =
        new LocalHBaseCluster(
            configuration, 1, regionServers, HMaster.class, NvCacheRegionServer.class);
    cluster.startup();
    this.connection = ConnectionFactory.createConnection(configuration);
    await("the master", () -> master() != null && master().isInitialized());
  }

  /**
   * Whether HBase's jar brings its servers' pages, and the class path what these need: that of
   * 2.6.4 has none, and 2.6.2 and later want another library than 2.6.1.
   */
  static boolean hasPages() {
    ClassLoader loader = HRegionServer.class.getClassLoader();
    try {
      Class.forName(
          "org.apache.hadoop.hbase.generated.regionserver.regionserver_jsp", false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
    return loader.getResource("hbase-webapps/regionserver") != null;
  }

  /** Settings of a cluster that caches every block it may. */
  public static Configuration settings() {
    Configuration settings = org.apache.hadoop.hbase.HBaseConfiguration.create();
    settings.setLong(NvCacheConfiguration.CAPACITY_BYTES, 64 << 20);
    settings.setInt(NvCacheConfiguration.EXPECTED_BLOCK_BYTES, 4096);
    settings.set(NvCacheConfiguration.POLICIES, "admit-all");
    settings.setLong(NvCacheConfiguration.SMALL_BYPASS_DRAM_BYTES, 0);
    settings.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0.05f);
    return settings;
  }

  Configuration configuration() {
    return util.getConfiguration();
  }

  HBaseTestingUtility util() {
    return util;
  }

  public Connection connection() {
    return connection;
  }

  public Admin admin() throws Exception {
    return connection.getAdmin();
  }

  private HMaster master() {
    return cluster.getActiveMaster();
  }

  /** Those that are alive. */
  public List<HRegionServer> servers() {
    List<HRegionServer> servers = new ArrayList<>();
    for (RegionServerThread thread : cluster.getLiveRegionServers()) {
      if (!thread.getRegionServer().isStopped() && !thread.getRegionServer().isAborted()) {
        servers.add(thread.getRegionServer());
      }
    }
    return servers;
  }

  HRegionServer serverOf(RegionInfo region) {
    return servers().stream()
        .filter(server -> server.getOnlineRegion(region.getRegionName()) != null)
        .findFirst()
        .orElseThrow();
  }

  HRegionServer otherThan(HRegionServer server) {
    return servers().stream().filter(other -> other != server).findFirst().orElseThrow();
  }

  public List<HRegion> regions(TableName table) {
    List<HRegion> regions = new ArrayList<>();
    servers().forEach(server -> regions.addAll(server.getRegions(table)));
    return regions;
  }

  HRegionServer addServer() throws Exception {
    RegionServerThread thread =
        cluster.addRegionServer(
            new Configuration(configuration()), cluster.getRegionServers().size());
    thread.start();
    thread.waitForServerOnline();
    return thread.getRegionServer();
  }

  static NvHBaseBlockCache cache(HRegionServer server) {
    return NvHBaseBlockCache.in(server.getBlockCache().orElse(null)).orElseThrow();
  }

  public static BlockCache engine(HRegionServer server) {
    return cache(server).engine();
  }

  long hits() {
    return servers().stream().mapToLong(server -> engine(server).stats().hits()).sum();
  }

  /** Blocks in place are given back when their response has been sent, which is a bit later. */
  void assertNothingLeaks() throws Exception {
    for (HRegionServer server : servers()) {
      await(
          "the pins of " + server.getServerName(),
          () -> engine(server).stats().pinnedBytes() <= PINNED_BY_HOST_BYTES);
      assertThat(cache(server).corruptBlocks()).isZero();
    }
    System.gc(); // A leak is found when the block is collected and another one is made.
    Thread.sleep(200);
    RefCnt.create(() -> {}).release();
    assertThat(leaks.sum()).as("blocks never released").isZero();
  }

  public static void await(String what, BooleanSupplier condition) throws InterruptedException {
    await(() -> what, condition);
  }

  public static void await(Supplier<String> what, BooleanSupplier condition)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(() -> "waited too long for " + what.get()).isLessThan(end);
      Thread.sleep(50);
    }
  }

  @Override
  public void close() throws Exception {
    connection.close();
    cluster.shutdown();
    cluster.join();
    util.shutdownMiniDFSCluster();
    util.shutdownMiniZKCluster();
  }
}
