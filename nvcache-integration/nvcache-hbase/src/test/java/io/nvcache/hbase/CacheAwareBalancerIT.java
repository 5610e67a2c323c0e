// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.hbase.site.NvCacheConfiguration;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.master.balancer.CacheAwareLoadBalancer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** HBase's cache-aware balancer, fed with the shares of regions that NVCache reports. */
class CacheAwareBalancerIT {
  private static final TableName TABLE = TableName.valueOf("balanced");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int REGIONS = 8;
  private static final int ROWS_PER_REGION = 2000;
  private static final int VALUE_BYTES = 1000;
  private static final int ROUNDS = 10;

  /** Of what the server reports to the master, in parts of a region's store files. */
  private static final float WARM = 0.9f;

  private static Configuration settings() {
    Configuration settings = LocalCluster.settings();
    settings.set(NvCacheConfiguration.POLICIES, "default");
    settings.setClass(
        HConstants.HBASE_MASTER_LOADBALANCER_CLASS,
        CacheAwareLoadBalancer.class,
        org.apache.hadoop.hbase.master.LoadBalancer.class);
    // Without it the balancer leaves cached shares aside; no BucketCache is there to use it.
    settings.set(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, "unused");
    settings.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);
    settings.setInt("hbase.hfile.prefetch.delay", 100);
    settings.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    settings.setInt("hbase.regionserver.msginterval", 200);
    settings.setInt("hbase.balancer.period", Integer.MAX_VALUE); // Only where it is asked for.
    return settings;
  }

  @Test
  void shouldMoveNoRegionOfAWarmBalancedCluster() throws Exception {
    try (LocalCluster cluster = new LocalCluster(2, settings())) {
      write(cluster);
      gatherOnOneServer(cluster);
      spread(cluster);
      LocalCluster.await(
          () -> "warm regions, not " + shares(cluster),
          () ->
              shares(cluster).size() == REGIONS
                  && shares(cluster).values().stream().allMatch(share -> share > WARM));
      Map<String, String> before = places(cluster);

      int moves = 0;
      for (int round = 0; round < ROUNDS; round++) {
        balance(cluster);
        Thread.sleep(500); // A round may begin a move that ends later.
        Map<String, String> now = places(cluster);
        moves += now.equals(before) ? 0 : 1;
        before = now;
      }

      System.out.printf("cached shares %s, rounds with a move: %d%n", shares(cluster), moves);
      assertThat(moves).as("rounds in which a region moved").isZero();
      cluster.assertNothingLeaks();
    }
  }

  private static void write(LocalCluster cluster) throws Exception {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = row(i, 0);
    }
    cluster
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            splits);
    byte[] value = new byte[VALUE_BYTES];
    try (Table table = cluster.connection().getTable(TABLE)) {
      for (int region = 0; region < REGIONS; region++) {
        for (int i = 0; i < ROWS_PER_REGION; i++) {
          ThreadLocalRandom.current().nextBytes(value);
          table.put(new Put(row(region, i)).addColumn(FAMILY, FAMILY, value));
        }
      }
    }
    cluster.admin().flush(TABLE);
  }

  private static byte[] row(int region, int row) {
    return Bytes.toBytes(String.format("%d-%06d", region, row));
  }

  /** So that the balancer has something to do, and is seen to do it. */
  private static void gatherOnOneServer(LocalCluster cluster) throws Exception {
    HRegionServer one = cluster.servers().get(0);
    for (RegionInfo region : cluster.admin().getRegions(TABLE)) {
      cluster.admin().move(region.getEncodedNameAsBytes(), one.getServerName());
    }
    LocalCluster.await("all regions on one server", () -> one.getRegions(TABLE).size() == REGIONS);
  }

  /** Lets the balancer work, which moves a few regions in a round. */
  private static void spread(LocalCluster cluster) throws Exception {
    int most = REGIONS / 2 + 1; // Each server may have one of HBase's own beside.
    LocalCluster.await(
        () -> "regions on both servers, not " + places(cluster),
        () -> {
          try {
            balance(cluster);
            Thread.sleep(500);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
          return cluster.servers().stream()
              .allMatch(server -> server.getRegions(TABLE).size() <= most);
        });
  }

  /** Those of HBase 2.6.2 and 2.6.3 fail where there is nothing to move. */
  private static void balance(LocalCluster cluster) throws Exception {
    try {
      cluster.admin().balance();
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("\"plans\" is null")) {
        throw e;
      }
    }
  }

  private static Map<String, String> places(LocalCluster cluster) {
    Map<String, String> places = new TreeMap<>();
    for (HRegionServer server : cluster.servers()) {
      for (HRegion region : server.getRegions(TABLE)) {
        places.put(region.getRegionInfo().getEncodedName(), server.getServerName().getServerName());
      }
    }
    return places;
  }

  /** Returns the cached share of each region, as the master knows it. */
  private static Map<String, Float> shares(LocalCluster cluster) {
    Map<String, Float> shares = new TreeMap<>();
    try {
      for (ServerMetrics server :
          cluster.admin().getClusterMetrics().getLiveServerMetrics().values()) {
        for (RegionMetrics region : server.getRegionMetrics().values()) {
          if (region.getNameAsString().startsWith(TABLE.getNameAsString())) {
            shares.put(region.getNameAsString(), region.getCurrentRegionCachedRatio());
          }
        }
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return shares;
  }
}
