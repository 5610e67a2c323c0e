// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tables that read files through links, in a cluster of one server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LinkedTablesIT {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 4000;
  private static final int MOB_BYTES = 2000;

  private LocalCluster cluster;
  private Admin admin;

  @BeforeAll
  void start() throws Exception {
    Configuration settings = LocalCluster.settings();
    settings.setBoolean(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, false); // As on flash.
    cluster = new LocalCluster(1, settings);
    admin = cluster.admin();
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
  }

  private NvHBaseBlockCache cache() {
    return LocalCluster.cache(cluster.servers().get(0));
  }

  private TableName create(String name, ColumnFamilyDescriptorBuilder family) throws Exception {
    TableName table = TableName.valueOf(name);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table).setColumnFamily(family.build()).build());
    return table;
  }

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(4096);
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("%06d", i));
  }

  private static byte[] value(int i) {
    byte[] value = new byte[200];
    new Random(i).nextBytes(value);
    return Bytes.add(new byte[200], value);
  }

  private void write(TableName name, int from, int to) throws Exception {
    try (Table table = cluster.connection().getTable(name)) {
      for (int i = from; i < to; i++) {
        table.put(new Put(row(i)).addColumn(FAMILY, FAMILY, value(i)));
      }
    }
    admin.flush(name);
  }

  private void read(TableName name, int from, int to) throws Exception {
    try (Table table = cluster.connection().getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      int i = from;
      for (Result result : scanner) {
        assertThat(result.getRow()).isEqualTo(row(i));
        assertThat(result.getValue(FAMILY, FAMILY)).isEqualTo(value(i));
        i++;
      }
      assertThat(i).isEqualTo(to);
    }
  }

  /** The cached share of each region of a table, as the balancer reckons it. */
  private List<Double> shares(TableName table) throws Exception {
    Thread.sleep(1100); // Answers last for a second.
    Map<String, Long> cached = cache().getRegionCachedInfo().orElseThrow();
    return cluster.regions(table).stream()
        .map(
            region ->
                (double) cached.getOrDefault(region.getRegionInfo().getEncodedName(), 0L)
                    / bytes(region))
        .toList();
  }

  private static long bytes(HRegion region) {
    return region.getStores().stream()
        .flatMap(store -> store.getStorefiles().stream())
        .mapToLong(file -> file.getReader().length())
        .sum();
  }

  @Test
  void shouldServeACloneWhoseFormOfBlocksIsAltered() throws Exception {
    TableName table = create("altered", family().setCompressionType(Compression.Algorithm.GZ));
    write(table, 0, ROWS);
    admin.snapshot("of-altered", table);
    TableName clone = TableName.valueOf("altered-clone");
    admin.cloneSnapshot("of-altered", clone);
    read(clone, 0, ROWS);
    long evicted = admin.clearBlockCache(clone).getEvictedBlocks();
    assertThat(evicted).isPositive();

    read(table, 0, ROWS); // The table's own blocks are cached again, in the other form.
    TableDescriptor packed =
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(clone))
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(
                        admin.getDescriptor(clone).getColumnFamily(FAMILY))
                    .setConfiguration(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, "true")
                    .build())
            .build();
    admin.modifyTable(packed);
    read(clone, 0, ROWS);
    read(table, 0, ROWS);
    try (Table client = cluster.connection().getTable(clone)) {
      assertThat(client.get(new Get(row(7))).getValue(FAMILY, FAMILY)).isEqualTo(value(7));
    }
  }

  @Test
  void shouldReportTheCachedShareOfBothSidesOfASplitBetweenFiles() throws Exception {
    TableName table = create("split", family());
    write(table, 0, ROWS / 2);
    write(table, ROWS / 2, ROWS);
    read(table, 0, ROWS);
    admin.split(table, row(ROWS / 2));
    LocalCluster.await("the split", () -> cluster.regions(table).size() == 2);
    read(table, 0, ROWS);
    read(table, 0, ROWS);
    assertThat(shares(table)).hasSize(2).allSatisfy(this::isWhole);
  }

  private void isWhole(double share) {
    assertThat(share).isBetween(0.9, 1.05);
  }

  @Test
  void shouldReportNoMoreThanARestoredSnapshotHas() throws Exception {
    TableName table = create("restored", family());
    write(table, 0, ROWS / 2);
    read(table, 0, ROWS / 2);
    admin.snapshot("of-restored", table);
    write(table, ROWS / 2, ROWS);
    read(table, 0, ROWS);
    admin.disableTable(table);
    admin.restoreSnapshot("of-restored");
    admin.enableTable(table);
    read(table, 0, ROWS / 2);
    assertThat(shares(table)).hasSize(1).allSatisfy(this::isWhole);
  }

  @Test
  void shouldReportNoRegionOfADroppedTable() throws Exception {
    TableName table = create("dropped", family());
    write(table, 0, ROWS);
    read(table, 0, ROWS);
    String region = cluster.regions(table).get(0).getRegionInfo().getEncodedName();
    assertThat(cache().getRegionCachedInfo().orElseThrow()).containsKey(region);
    admin.disableTable(table);
    admin.deleteTable(table);
    LocalCluster.await(
        "the region to go", () -> !cache().getRegionCachedInfo().orElseThrow().containsKey(region));
  }

  /** Nobody has read a value: what compactions read of MOB files is not looked up. */
  @Test
  void shouldCountNoLookupOfAMobCompaction() throws Exception {
    TableName table = create("mob", family().setMobEnabled(true).setMobThreshold(100));
    byte[] value = new byte[MOB_BYTES];
    try (Table client = cluster.connection().getTable(table)) {
      for (int part = 0; part < 3; part++) {
        for (int i = 0; i < 300; i++) {
          client.put(new Put(row(part * 300 + i)).addColumn(FAMILY, FAMILY, value));
        }
        admin.flush(table);
      }
    }
    long before = cache().engine().stats().lookups();
    admin.majorCompact(table);
    HStore store = cluster.regions(table).get(0).getStores().get(0);
    LocalCluster.await("the compaction", () -> store.getStorefilesCount() == 1);
    assertThat(cache().engine().stats().lookups() - before).isLessThan(300);
  }
}
