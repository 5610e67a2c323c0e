// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/**
 * Rows that one thread overwrites while others read them. A read must give a version that was not
 * older than what had been acknowledged before it began, and not newer than what had been begun
 * before it ended; anything else is stale or wrong, and counted. Thread-safe, with one writer.
 */
final class FreshRows {
  private final Connection connection;
  private final VersionedTable table;
  private final AtomicIntegerArray begun;
  private final AtomicIntegerArray acknowledged;
  private final LongAdder reads = new LongAdder();
  private final LongAdder stale = new LongAdder();
  private final LongAdder wrong = new LongAdder();

  FreshRows(Connection connection, VersionedTable table, int rows) {
    this.connection = connection;
    this.table = table;
    this.begun = new AtomicIntegerArray(rows);
    this.acknowledged = new AtomicIntegerArray(rows);
  }

  /** Writes the next version of every {@code step}th row. */
  void write(int step) throws IOException {
    try (Table client = connection.getTable(table.name())) {
      for (int row = 0; row < begun.length(); row += step) {
        int version = begun.incrementAndGet(row);
        client.put(
            new Put(VersionedTable.row(row))
                .addColumn(
                    VersionedTable.FAMILY,
                    VersionedTable.bytes("q"),
                    VersionedTable.value(row, version)));
        acknowledged.set(row, version);
      }
    }
  }

  /** Reads rows at random and compares each. */
  void read(int count, Random random) throws IOException {
    try (Table client = connection.getTable(table.name())) {
      for (int i = 0; i < count; i++) {
        int row = random.nextInt(begun.length());
        int oldest = acknowledged.get(row);
        byte[] value =
            client
                .get(new Get(VersionedTable.row(row)))
                .getValue(VersionedTable.FAMILY, VersionedTable.bytes("q"));
        judge(row, value, oldest, begun.get(row));
      }
    }
  }

  private void judge(int row, byte[] value, int oldest, int newest) {
    reads.increment();
    for (int version = newest; version >= 1; version--) {
      if (Arrays.equals(value, VersionedTable.value(row, version))) {
        if (version < oldest) {
          stale.increment();
        }
        return;
      }
    }
    wrong.increment();
  }

  long reads() {
    return reads.sum();
  }

  long stale() {
    return stale.sum();
  }

  long wrong() {
    return wrong.sum();
  }
}
