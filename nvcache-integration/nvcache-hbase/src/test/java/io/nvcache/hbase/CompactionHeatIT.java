// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.junit.jupiter.api.Test;

/** Major compactions on a region server whose compactions carry heat, and on one whose do not. */
class CompactionHeatIT {
  private static final int ROWS = 8000;
  private static final int HOT_ROWS = 400;
  private static final int READS = 20_000;

  private static final int FIRST_HOT_ROW = 1000;

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
    Configuration settings = LocalCluster.settings();
    settings.set(NvCacheConfiguration.POLICIES, "default");
    settings.setLong(NvCacheConfiguration.CAPACITY_BYTES, 4 << 20);
    settings.set(NvCacheConfiguration.COMPACTION_HEAT, "true");
    settings.setInt("hbase.hstore.compaction.min", 100);
    try (LocalCluster cluster = new LocalCluster(1, settings)) {
      VersionedTable table = VersionedTable.create(cluster.connection(), "scattered");
      for (int part = 0; part < 3; part++) {
        table.write(0, ROWS);
        cluster.admin().flush(table.name());
      }
      int hot = ROWS / ROWS_PER_HOT_ROW;
      try (Table rows = cluster.connection().getTable(table.name())) {
        for (int read = 0; read < READS; read++) {
          rows.get(new Get(VersionedTable.row(read % hot * ROWS_PER_HOT_ROW)));
        }
      }
      HStore store = cluster.regions(table.name()).get(0).getStore(VersionedTable.FAMILY);
      BlockCache engine = LocalCluster.engine(cluster.servers().get(0));
      cluster.admin().majorCompact(table.name());
      LocalCluster.await("the compaction", () -> store.getStorefilesCount() == 1);
      LocalCluster.await("hot blocks", () -> carried(engine) >= hot * 9 / 10);
      assertThat(carried(engine)).isLessThan(hot * 5 / 4);
      table.check(500);
    }
  }

  private static double hitsOfHotRowsAfterACompaction(String heat) throws Exception {
    Configuration settings = LocalCluster.settings();
    settings.set(NvCacheConfiguration.POLICIES, "default");
    settings.setLong(NvCacheConfiguration.CAPACITY_BYTES, 4 << 20);
    settings.set(NvCacheConfiguration.COMPACTION_HEAT, heat);
    settings.setInt("hbase.hstore.compaction.min", 100); // None but the one that is asked for.
    try (LocalCluster cluster = new LocalCluster(1, settings)) {
      VersionedTable table = VersionedTable.create(cluster.connection(), "heat" + heat);
      for (int part = 0; part < 3; part++) {
        table.write(0, ROWS);
        cluster.admin().flush(table.name());
      }
      readHotRows(cluster, table, READS);
      BlockCache engine = LocalCluster.engine(cluster.servers().get(0));
      HStore store = cluster.regions(table.name()).get(0).getStore(VersionedTable.FAMILY);
      assertThat(store.getStorefilesCount()).isEqualTo(3);
      long lookups = engine.stats().lookups();
      cluster.admin().majorCompact(table.name());
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
