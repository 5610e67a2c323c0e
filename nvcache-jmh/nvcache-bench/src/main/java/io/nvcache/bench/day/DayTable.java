// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import io.nvcache.bench.clients.HBaseServer;
import io.nvcache.bench.clients.ServerSetup;
import io.nvcache.bench.sample.FileTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The table that each server gets a copy of. */
final class DayTable {
  static final int REGIONS = 4;

  /** HBase needs a moment to begin a compaction. */
  private static final long BEGIN_MILLIS = 2000;

  private DayTable() {}

  /** Writes the table, one store file for each region, and returns the directory of its server. */
  static Path write(Path directory, DaySettings settings) throws IOException, InterruptedException {
    ServerSetup setup = new ServerSetup("writer", Map.of(), settings.servers().unhindered());
    try (HBaseServer server = new HBaseServer(directory, setup)) {
      server.start();
      Admin admin = server.connection().getAdmin();
      create(admin, settings.rows());
      try (BufferedMutator table = server.connection().getBufferedMutator(DayServer.TABLE)) {
        for (int row = 0; row < settings.rows(); row++) {
          table.mutate(DayRows.put(row, 0).setDurability(Durability.SKIP_WAL));
        }
      }
      admin.flush(DayServer.TABLE);
      admin.majorCompact(DayServer.TABLE);
      TimeUnit.MILLISECONDS.sleep(BEGIN_MILLIS);
      server.awaitCompactions(DayServer.TABLE);
      server.stop();
      FileTree.delete(server.root().resolve("archive")); // What was compacted.
      return server.root();
    }
  }

  private static void create(Admin admin, int rows) throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = DayRows.key((long) (rows / REGIONS) * i);
    }
    admin.createTable(
        TableDescriptorBuilder.newBuilder(DayServer.TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(DayRows.FAMILY))
            .build(),
        splits);
  }
}
