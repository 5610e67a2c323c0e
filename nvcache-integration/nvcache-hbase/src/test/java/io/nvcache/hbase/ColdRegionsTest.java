// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A warm cluster of three caches under HBase 2.6.6's cache-aware balancer: one region of each
 * server is read again and again, and the others hardly ever, so that the write budget keeps most
 * of them out of a cache that has room.
 */
final class ColdRegionsTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int SERVERS = 3;

  /** One more than can be spread evenly: such a one can move without making things less even. */
  private static final int REGIONS = 13;

  private static final int BLOCK = 64 << 10;
  private static final int BLOCKS = 128;
  private static final int MEGABYTES = BLOCKS * BLOCK >> 20;
  private static final int ROUNDS = 10;
  private static final long SEED = 53;

  /** What a master hears of a region: the cold share, by the cached one. */
  private interface Reports {
    float coldRatio(float cachedRatio);
  }

  private final Random random = new Random(SEED);
  private final Map<ServerName, NvHBaseBlockCache> caches = new TreeMap<>();
  private final Map<ServerName, List<RegionInfo>> places = new HashMap<>();

  @AfterEach
  void close() {
    caches.values().forEach(NvHBaseBlockCache::shutdown);
  }

  @Test
  void shouldMoveNoRegionForBeingCold(@TempDir java.nio.file.Path directory) throws Exception {
    int moves = moves(directory, ReportToMaster::coldRatio);
    System.out.printf("balancer_moves %d in %d rounds%n", moves, ROUNDS);
    assertThat(moves).isZero();
  }

  /** Without this the test above would show nothing. */
  @Test
  void shouldBeMovedIfNothingIsReportedCold(@TempDir java.nio.file.Path directory)
      throws Exception {
    int moves = moves(directory, cached -> 0);
    System.out.printf("without cold shares: %d moves in %d rounds%n", moves, ROUNDS);
    assertThat(moves).isGreaterThanOrEqualTo(ROUNDS);
  }

  /** What is cold must not hide where a region's blocks are. */
  @Test
  void shouldBringARegionBackToItsBlocks(@TempDir java.nio.file.Path directory) throws Exception {
    start();
    ServerName old = places.keySet().iterator().next();
    ServerName now = places.keySet().stream().filter(each -> !each.equals(old)).findFirst().get();
    RegionInfo hot =
        places.get(old).stream().filter(ColdRegionsTest::isHot).findFirst().orElseThrow();
    RegionInfo other = places.get(now).get(places.get(now).size() - 1);
    places.get(old).remove(hot);
    places.get(now).add(hot);
    places.get(now).remove(other);
    places.get(old).add(other);
    try (Balancer266 balancer = new Balancer266(directory, settings())) {
      balancer.round(metrics(balancer, ReportToMaster::coldRatio), places);
    }
    assertThat(places.get(old)).contains(hot);
  }

  private int moves(java.nio.file.Path directory, Reports reports) throws Exception {
    start();
    int moves = 0;
    try (Balancer266 balancer = new Balancer266(directory, settings())) {
      for (int round = 0; round < ROUNDS; round++) {
        Map<ServerName, List<RegionInfo>> before = new HashMap<>();
        places.forEach((server, regions) -> before.put(server, List.copyOf(regions)));
        moves += balancer.round(metrics(balancer, reports), places);
        before.forEach(
            (server, regions) -> {
              for (RegionInfo region : regions) {
                if (!places.get(server).contains(region)) {
                  caches.get(server).evictBlocksByHfileName(file(region)); // As at a close.
                }
              }
            });
        read();
      }
    }
    return moves;
  }

  private static Configuration settings() {
    Configuration settings = new Configuration(false);
    settings.set(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, "unused");
    settings.setBoolean("hbase.master.balancer.uselocality", false);
    // Its steps end it, after a fraction of a second: how busy the machine is decides nothing.
    settings.setLong("hbase.master.balancer.stochastic.maxRunningTime", 60_000);
    settings.setLong("hbase.master.balancer.move.throttlingMillis", 0);
    return settings;
  }

  private void start() {
    System.out.println("seed " + SEED);
    for (int i = 0; i < SERVERS; i++) {
      ServerName server = ServerName.valueOf("s" + i, 1, 1);
      BlockCache engine = BlockCache.builder().nativeMemory(24 << 20).build();
      caches.put(server, new NvHBaseBlockCache(engine, new FileIdRegistry()));
      places.put(server, new ArrayList<>());
    }
    List<ServerName> servers = List.copyOf(caches.keySet());
    for (int i = 0; i < REGIONS; i++) {
      places
          .get(servers.get(i % SERVERS))
          .add(
              RegionInfoBuilder.newBuilder(TABLE)
                  .setStartKey(Bytes.toBytes(100 + i))
                  .setEndKey(Bytes.toBytes(101 + i))
                  .setRegionId(1)
                  .build());
    }
    for (int i = 0; i < 3; i++) {
      read();
    }
    places.forEach(
        (server, regions) ->
            assertThat(caches.get(server).getFreeSize())
                .as("there is room for a region")
                .isGreaterThan((long) MEGABYTES << 20));
  }

  /** The hot regions whole, several times, and a few blocks of the others. */
  private void read() {
    places.forEach(
        (server, regions) -> {
          for (RegionInfo region : regions) {
            for (int i = 0; i < (isHot(region) ? 5 * BLOCKS : 2); i++) {
              read(caches.get(server), region, random.nextInt(BLOCKS));
            }
          }
        });
  }

  private static boolean isHot(RegionInfo region) {
    return Bytes.toInt(region.getStartKey()) < 100 + SERVERS;
  }

  private static String file(RegionInfo region) {
    return "f" + region.getEncodedName();
  }

  private static void read(NvHBaseBlockCache cache, RegionInfo region, int block) {
    Path path = new Path("/hbase/data/" + region.getEncodedName() + "/f/" + file(region));
    BlockCacheKey key = new BlockCacheKey(path, (long) block * BLOCK, true, BlockType.DATA);
    Cacheable found = cache.getBlock(key, true, false, true);
    if (found == null) {
      cache.cacheBlock(key, new ForeignBlock("x".repeat(BLOCK - 64)));
    } else {
      found.release();
    }
  }

  private Map<ServerName, Object> metrics(Balancer266 balancer, Reports reports) throws Exception {
    Map<ServerName, Object> servers = new HashMap<>();
    for (Map.Entry<ServerName, List<RegionInfo>> place : places.entrySet()) {
      NvHBaseBlockCache cache = caches.get(place.getKey());
      Map<String, Integer> cached = cachedMegabytes(cache);
      Map<byte[], Object> regions = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      Map<String, Integer> cold = new HashMap<>();
      for (RegionInfo region : place.getValue()) {
        float ratio = (float) cached.getOrDefault(region.getEncodedName(), 0) / MEGABYTES;
        float coldRatio = reports.coldRatio(ratio);
        cold.put(region.getEncodedName(), Math.round(coldRatio * MEGABYTES));
        Size size = new Size(MEGABYTES, Size.Unit.MEGABYTE);
        regions.put(
            region.getRegionName(),
            balancer.metrics(
                "Region",
                Map.of(
                    "getReadRequestCount", 0L,
                    "getWriteRequestCount", 0L,
                    "getMemStoreSize", Size.ZERO,
                    "getStoreFileSize", size,
                    "getRegionSizeMB", size,
                    "getCurrentRegionCachedRatio", ratio,
                    "getCurrentRegionColdDataRatio", coldRatio)));
      }
      servers.put(
          place.getKey(),
          balancer.metrics(
              "Server",
              Map.of(
                  "getRegionMetrics", regions,
                  "getRegionCachedInfo", cached,
                  "getRegionColdDataSize", cold,
                  "getCacheFreeSize", cache.getFreeSize())));
    }
    return servers;
  }

  /** As {@code getRegionCachedInfo}, whose answers last for a second. */
  private static Map<String, Integer> cachedMegabytes(NvHBaseBlockCache cache) {
    Map<String, Long> bytes = new HashMap<>();
    for (Iterator<CachedBlock> blocks = cache.iterator(); blocks.hasNext(); ) {
      CachedBlock block = blocks.next();
      bytes.merge(block.getFilename().substring(1), block.getSize(), Long::sum);
    }
    Map<String, Integer> megabytes = new HashMap<>();
    bytes.forEach((region, size) -> megabytes.put(region, Math.round(size / 1048576f)));
    return megabytes;
  }
}
