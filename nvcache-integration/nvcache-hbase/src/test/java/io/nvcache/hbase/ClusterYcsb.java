// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** YCSB's calls on a table of a cluster; the usual binding is not on Maven Central for 2.6. */
final class ClusterYcsb extends DB {
  private static final byte[] FAMILY = VersionedTable.FAMILY;

  /** Is told each row of a scan: YCSB does not look at them. */
  interface ScannedRow {
    void read(String key, Map<String, ByteIterator> cells);
  }

  private final Table table;
  private final ScannedRow scanned;

  ClusterYcsb(Connection connection, TableName name, ScannedRow scanned) {
    this.scanned = scanned;
    try {
      this.table = connection.getTable(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private interface Call {
    Status run() throws IOException;
  }

  private static Status attempt(Call call) {
    try {
      return call.run();
    } catch (IOException e) {
      return Status.ERROR;
    }
  }

  @Override
  public Status read(
      String ignored, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return attempt(
        () -> {
          Result found = table.get(new Get(bytes(key)).addFamily(FAMILY));
          if (found.isEmpty()) {
            return Status.NOT_FOUND;
          }
          copy(found, fields, result);
          return Status.OK;
        });
  }

  private static void copy(Result found, Set<String> fields, Map<String, ByteIterator> result) {
    for (Cell cell : found.rawCells()) {
      String field = new String(CellUtil.cloneQualifier(cell), StandardCharsets.UTF_8);
      if (fields == null || fields.contains(field)) {
        result.put(field, new ByteArrayByteIterator(CellUtil.cloneValue(cell)));
      }
    }
  }

  @Override
  @SuppressWarnings("NonApiType") // As YCSB declares it.
  public Status scan(
      String ignored,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> results) {
    return attempt(
        () -> {
          Scan scan = new Scan().withStartRow(bytes(startKey)).setLimit(count);
          try (ResultScanner scanner = table.getScanner(scan)) {
            for (Result found : scanner) {
              HashMap<String, ByteIterator> row = new HashMap<>();
              copy(found, fields, row);
              scanned.read(new String(found.getRow(), StandardCharsets.UTF_8), row);
              results.add(row);
            }
          }
          return Status.OK;
        });
  }

  @Override
  public Status update(String ignored, String key, Map<String, ByteIterator> values) {
    return attempt(
        () -> {
          Put put = new Put(bytes(key));
          values.forEach((field, value) -> put.addColumn(FAMILY, bytes(field), value.toArray()));
          table.put(put);
          return Status.OK;
        });
  }

  @Override
  public Status insert(String name, String key, Map<String, ByteIterator> values) {
    return update(name, key, values);
  }

  @Override
  public Status delete(String ignored, String key) {
    return attempt(
        () -> {
          table.delete(new Delete(bytes(key)));
          return Status.OK;
        });
  }
}
