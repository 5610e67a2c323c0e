// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.hbase.LocalCluster;
import io.nvcache.hbase.VersionedTable;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.StripeStoreConfig;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Major compactions on a region server whose compactions carry heat, and on one whose do not. */
class CompactionHeatIT {
  private static final int ROWS = 8000;
  private static final int HOT_ROWS = 400;
  private static final int READS = 20_000;

  private static final int FIRST_HOT_ROW = 1000;
  private static final int PARTS = 3;

  private static final int STILL_MILLIS = 2000;

  /** A row of several cells may lie in two blocks. */
  private static final int MOST_BLOCKS_OF_TWO_ROWS = 3;

  private static final String USUAL = "org.apache.hadoop.hbase.regionserver.DefaultStoreEngine";
  private static final String STRIPES = "org.apache.hadoop.hbase.regionserver.StripeStoreEngine";
  private static final String DATE_TIERS =
      "org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine";
  private static final int STRIPE_COUNT = 4;

  /** So many that each hot row has a block for itself. */
  private static final int ROWS_PER_HOT_ROW = 40;

  /** With the rows that {@link VersionedTable} writes. */
  private static final int MOST_ROWS_PER_BLOCK = 10;

  @Test
  void shouldServeHotRowsFromTheOutputsAtOnce() throws Exception {
    double carried = hitsOfHotRowsAfterACompaction("true");
    double dropped = hitsOfHotRowsAfterACompaction("false");
    assertThat(dropped).as("hits without heat").isLessThan(0.1);
    assertThat(carried).as("hits with heat").isGreaterThan(0.9);
  }

  /** Of the outputs that a hot block of the inputs becomes, those without a hot row stay out. */
  @Test
  void shouldFollowScatteredRowsToTheirOutputs() throws Exception {
    try (LocalCluster cluster = new LocalCluster(1, settings("true"))) {
      VersionedTable table = writeParts(cluster, "scattered");
      int hot = ROWS / ROWS_PER_HOT_ROW;
      readHotRows(cluster, table, hot, ROWS_PER_HOT_ROW);
      BlockCache engine = LocalCluster.engine(cluster.servers().get(0));
      compact(cluster, table);
      LocalCluster.await("hot blocks", () -> carried(engine) >= hot * 9 / 10);
      awaitCarried(engine);
      assertThat(carried(engine)).isLessThan(MOST_BLOCKS_OF_TWO_ROWS * hot / 2);
      table.check(500);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {STRIPES, DATE_TIERS})
  void shouldCarryWhatCompactionsOfOtherKindsWrite(String storeEngine) throws Exception {
    try (LocalCluster cluster = new LocalCluster(1, settings("true", storeEngine))) {
      VersionedTable table = writeParts(cluster, "kinds");
      int hot = ROWS / ROWS_PER_HOT_ROW;
      readHotRows(cluster, table, hot, ROWS_PER_HOT_ROW);
      BlockCache engine = LocalCluster.engine(cluster.servers().get(0));
      compact(cluster, table);
      LocalCluster.await("hot blocks", () -> carried(engine) >= hot * 9 / 10);
      HStore store = cluster.regions(table.name()).get(0).getStore(VersionedTable.FAMILY);
      assertThat(store.getStoreEngine().getClass().getName()).isEqualTo(storeEngine);
      if (storeEngine.equals(STRIPES)) {
        LocalCluster.await("stripes", () -> store.getStorefilesCount() == STRIPE_COUNT);
        awaitCarried(engine);
        assertThat(carried(engine))
            .as("rows are followed")
            .isLessThan(MOST_BLOCKS_OF_TWO_ROWS * hot / 2);
      }
      table.check(500);
    }
  }

  /** Fails all compactions as they read. */
  public static final class FailingCompactions implements RegionCoprocessor, RegionObserver {
    static final AtomicInteger FAILED = new AtomicInteger();
    private static final int ROWS_UNTIL_FAILURE = 1000;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preCompact(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Store store,
        InternalScanner scanner,
        ScanType scanType,
        CompactionLifeCycleTracker tracker,
        CompactionRequest request) {
      if (!store.getTableName().getNameAsString().equals("failing")) {
        return scanner;
      }
      return new InternalScanner() {
        private int rows;

        @Override
        @SuppressWarnings({"rawtypes", "unchecked"})
        public boolean next(List result, ScannerContext limits) throws IOException {
          if (++rows == ROWS_UNTIL_FAILURE) {
            FAILED.incrementAndGet();
            throw new IOException("as the test wants it");
          }
          return scanner.next(result, limits);
        }

        @Override
        public void close() throws IOException {
          scanner.close();
        }
      };
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {USUAL, STRIPES, DATE_TIERS})
  void shouldLeaveNothingOfACompactionThatFails(String storeEngine) throws Exception {
    int failed = FailingCompactions.FAILED.get();
    Configuration settings = settings("true", storeEngine);
    settings.set(
        CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY, FailingCompactions.class.getName());
    try (LocalCluster cluster = new LocalCluster(1, settings)) {
      VersionedTable table = writeParts(cluster, "failing");
      readHotRows(cluster, table, ROWS / ROWS_PER_HOT_ROW, ROWS_PER_HOT_ROW);
      BlockCache engine = LocalCluster.engine(cluster.servers().get(0));
      long blocks = engine.stats().blocks();
      compact(cluster, table);
      LocalCluster.await("a failure", () -> FailingCompactions.FAILED.get() > failed);
      Map<String, Long> ledger = engine.control().ledger().entries();
      assertThat(ledger.get("rewrite.hit")).as("it had begun").isPositive();
      assertThat(engine.stats().offers(Source.COMPACTION)).isZero();
      assertThat(carried(engine)).isZero();
      assertThat(engine.stats().blocks()).as("of the inputs, all still there").isEqualTo(blocks);
      table.check(500);
    }
  }

  private static Configuration settings(String heat) {
    Configuration settings = LocalCluster.settings();
    settings.set(NvCacheConfiguration.POLICIES, "default");
    settings.setLong(NvCacheConfiguration.CAPACITY_BYTES, 4 << 20);
    settings.setInt(NvCacheConfiguration.EXPECTED_BLOCK_BYTES, 4 << 10);
    settings.set(NvCacheConfiguration.COMPACTION_HEAT, heat);
    settings.setInt("hbase.hstore.compaction.min", 100); // None but the one that is asked for.
    return settings;
  }

  private static Configuration settings(String heat, String storeEngine) {
    Configuration settings = settings(heat);
    settings.set(StoreEngine.STORE_ENGINE_CLASS_KEY, storeEngine);
    // It counts the cells of all files, of which a third is the newest of their rows.
    settings.setInt(StripeStoreConfig.INITIAL_STRIPE_COUNT_KEY, STRIPE_COUNT * PARTS);
    settings.setInt(StripeStoreConfig.MIN_FILES_L0_KEY, PARTS);
    settings.setBoolean(StripeStoreConfig.FLUSH_TO_L0_KEY, true);
    return settings;
  }

  private static VersionedTable writeParts(LocalCluster cluster, String name) throws Exception {
    // Stripes are compacted as soon as there are so many files, unless the server does not compact.
    cluster.admin().compactionSwitch(false, List.of());
    VersionedTable table = VersionedTable.create(cluster.connection(), name);
    for (int part = 0; part < PARTS; part++) {
      table.write(0, ROWS);
      cluster.admin().flush(table.name());
    }
    return table;
  }

  private static void compact(LocalCluster cluster, VersionedTable table) throws Exception {
    cluster.admin().compactionSwitch(true, List.of());
    cluster.admin().majorCompact(table.name());
  }

  private static void readHotRows(
      LocalCluster cluster, VersionedTable table, int hotRows, int distance) throws Exception {
    try (Table rows = cluster.connection().getTable(table.name())) {
      for (int read = 0; read < READS; read++) {
        rows.get(new Get(VersionedTable.row(read % hotRows * distance)));
      }
    }
  }

  private static double hitsOfHotRowsAfterACompaction(String heat) throws Exception {
    try (LocalCluster cluster = new LocalCluster(1, settings(heat))) {
      VersionedTable table = writeParts(cluster, "heat" + heat);
      readHotRows(cluster, table, READS);
      BlockCache engine = LocalCluster.engine(cluster.servers().get(0));
      HStore store = cluster.regions(table.name()).get(0).getStore(VersionedTable.FAMILY);
      assertThat(store.getStorefilesCount()).isEqualTo(PARTS);
      long lookups = engine.stats().lookups();
      compact(cluster, table);
      LocalCluster.await("the compaction", () -> store.getStorefilesCount() == 1);
      Map<String, Long> ledger = engine.control().ledger().entries();
      assertThat(engine.stats().lookups() - lookups)
          .as("lookups while %d blocks were read", ledger.get("rewrite.hit"))
          .isLessThan(ledger.get("rewrite.hit"));
      assertThat(ledger.get("rewrite.hit")).isPositive();
      if (heat.equals("true")) {
        LocalCluster.await("hot blocks", () -> carried(engine) >= HOT_ROWS / MOST_ROWS_PER_BLOCK);
      } else {
        assertThat(carried(engine)).isZero();
      }
      long hits = engine.stats().hits();
      long before = engine.stats().lookups();
      readEachHotBlock(cluster, table);
      double ratio = (double) (engine.stats().hits() - hits) / (engine.stats().lookups() - before);
      table.check(500);
      return ratio;
    }
  }

  /** No block twice: its first read may have cached it. */
  private static void readEachHotBlock(LocalCluster cluster, VersionedTable table)
      throws Exception {
    try (Table rows = cluster.connection().getTable(table.name())) {
      for (int row = FIRST_HOT_ROW; row < FIRST_HOT_ROW + HOT_ROWS; row += MOST_ROWS_PER_BLOCK) {
        assertThat(rows.get(new Get(VersionedTable.row(row))).isEmpty()).isFalse();
      }
    }
  }

  /** Waits until no more come. */
  private static void awaitCarried(BlockCache engine) throws InterruptedException {
    long before;
    do {
      before = carried(engine);
      Thread.sleep(STILL_MILLIS);
    } while (carried(engine) > before);
  }

  private static long carried(BlockCache engine) {
    return engine.control().ledger().entries().get("carried.admitted");
  }

  private static void readHotRows(LocalCluster cluster, VersionedTable table, int reads)
      throws Exception {
    Random random = new Random(7);
    try (Table rows = cluster.connection().getTable(table.name())) {
      for (int i = 0; i < reads; i++) {
        int row = FIRST_HOT_ROW + random.nextInt(HOT_ROWS);
        assertThat(rows.get(new Get(VersionedTable.row(row))).isEmpty()).isFalse();
      }
    }
  }
}
