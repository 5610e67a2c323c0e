// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.hbase.site.NvCacheConfiguration;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scans backwards, a row in each remote call, while gets fill the memory of blocks that the scan
 * has released: HBase compares a row of such a block in its next call.
 */
class ReversedScanIT {
  private static final long SEED = 20261127;
  private static final TableName TABLE = TableName.valueOf("backwards");
  private static final byte[] FAMILY = {'f'};
  private static final int ROWS = 6000;
  private static final int VALUE_BYTES = 3000;

  @TempDir private Path directory;

  @Test
  void shouldMissNoRowOfAReversedScan() throws Exception {
    Configuration settings = LocalCluster.settings();
    settings.set(NvCacheConfiguration.MEDIUM, "flash");
    settings.set(NvCacheConfiguration.PATH, directory.resolve("blocks").toString());
    settings.setLong("hfile.onheap.block.cache.fixed.size", 1 << 20);
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    try (LocalCluster cluster = new LocalCluster(1, settings)) {
      cluster
          .admin()
          .createTable(
              TableDescriptorBuilder.newBuilder(TABLE)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build());
      try (Table table = cluster.connection().getTable(TABLE)) {
        write(table);
        cluster.admin().flush(TABLE);
        assertThat(rows(table, new Scan().setCaching(100))).hasSize(ROWS);
        List<Future<?>> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          SplittableRandom random = new SplittableRandom(SEED + i);
          readers.add(threads.submit(() -> read(table, random, over)));
        }
        long hits = cluster.hits();
        List<Integer> backwards = rows(table, new Scan().setReversed(true).setCaching(1));
        over.set(true);
        for (Future<?> reader : readers) {
          reader.get();
        }
        assertThat(cluster.hits()).isGreaterThan(hits + ROWS / 40);
        assertThat(backwards).isSortedAccordingTo((one, other) -> other - one).hasSize(ROWS);
      }
      cluster.assertNothingLeaks();
    } finally {
      over.set(true);
      threads.shutdownNow();
    }
  }

  private static void write(Table table) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int first = 0; first < ROWS; first += 500) {
      List<Put> puts = new ArrayList<>();
      for (int row = first; row < first + 500; row++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        puts.add(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, value));
      }
      table.put(puts);
    }
  }

  /** Each get's block takes the memory of one that was released. */
  private static void read(Table table, SplittableRandom random, AtomicBoolean over) {
    try {
      while (!over.get()) {
        byte[] row = Bytes.toBytes(random.nextInt(ROWS));
        assertThat(table.get(new Get(row)).getRow()).isEqualTo(row);
      }
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<Integer> rows(Table table, Scan scan) throws Exception {
    List<Integer> rows = new ArrayList<>();
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        rows.add(ByteBuffer.wrap(result.getRow()).getInt());
      }
    }
    return rows;
  }
}
