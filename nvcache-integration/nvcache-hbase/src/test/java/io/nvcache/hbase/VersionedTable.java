// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * A table whose every value tells its row and the version that was written last, so that a wrong
 * block and a stale one are both found out.
 */
public final class VersionedTable {
  public static final byte[] FAMILY = bytes("f");
  private static final byte[] QUALIFIER = bytes("q");
  private static final int VALUE_BYTES = 500;

  private final Connection connection;
  private final TableName name;
  private final Map<Integer, Integer> versions = new HashMap<>();
  private final Random random = new Random(20261122);

  private VersionedTable(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
  }

  /** The same table and what is known of it, over another connection. */
  VersionedTable over(Connection other) {
    VersionedTable table = new VersionedTable(other, name);
    table.versions.putAll(versions);
    return table;
  }

  public static VersionedTable create(Connection connection, String name) throws IOException {
    TableName tableName = TableName.valueOf(name);
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(tableName)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setBlocksize(4096)
                        .setDataBlockEncoding(DataBlockEncoding.FAST_DIFF)
                        .build())
                .build());
    return new VersionedTable(connection, tableName);
  }

  public TableName name() {
    return name;
  }

  public static byte[] row(int i) {
    return bytes(String.format("row%07d", i));
  }

  static byte[] value(int row, int version) {
    byte[] value = new byte[VALUE_BYTES];
    new Random(row * 1_000_003L + version).nextBytes(value);
    return value;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Writes the next version of some rows. */
  public void write(int from, int to) throws IOException {
    try (Table table = connection.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int row = from; row < to; row++) {
        int version = versions.merge(row, 1, Integer::sum);
        puts.add(new Put(row(row)).addColumn(FAMILY, QUALIFIER, value(row, version)));
      }
      table.put(puts);
    }
  }

  /** Notes that rows were written by other means. */
  void noteWritten(int from, int to, int version) {
    for (int row = from; row < to; row++) {
      versions.put(row, version);
    }
  }

  Map<Integer, Integer> versions() {
    return Map.copyOf(versions);
  }

  void restore(Map<Integer, Integer> before) {
    versions.clear();
    versions.putAll(before);
  }

  /** Reads rows at random, in batches, and compares each. */
  public void check(int reads) throws IOException {
    List<Integer> rows = new ArrayList<>(versions.keySet());
    try (Table table = connection.getTable(name)) {
      for (int done = 0; done < reads; done += 50) {
        List<Get> gets = new ArrayList<>();
        List<Integer> asked = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          asked.add(rows.get(random.nextInt(rows.size())));
          gets.add(new Get(row(asked.get(i))));
        }
        Result[] results = table.get(gets);
        for (int i = 0; i < results.length; i++) {
          assertRight(asked.get(i), results[i]);
        }
      }
    }
  }

  /** Scans all rows and compares each. */
  void checkAll() throws IOException {
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(200))) {
      int count = 0;
      for (Result result : scanner) {
        assertRight(
            Integer.parseInt(new String(result.getRow(), StandardCharsets.UTF_8).substring(3)),
            result);
        count++;
      }
      assertThat(count).isEqualTo(versions.size());
    }
  }

  private void assertRight(int row, Result result) {
    assertThat(result.getValue(FAMILY, QUALIFIER))
        .as("row %d, version %d of table %s", row, versions.get(row), name)
        .isEqualTo(value(row, versions.get(row)));
  }
}
