// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** A map of records that writes down what it was asked. */
final class RecordingDb extends DB {
  final List<String> calls = new ArrayList<>();
  final Map<String, Map<String, String>> rows = new HashMap<>();

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    calls.add("read " + key);
    Map<String, String> row = rows.get(key);
    if (row == null) {
      return Status.NOT_FOUND;
    }
    row.forEach((field, value) -> result.put(field, new StringByteIterator(value)));
    return Status.OK;
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  public Status scan(
      String table,
      String key,
      int records,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    calls.add("scan " + key + " " + records);
    return Status.OK;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    calls.add("update " + key + " " + values.keySet());
    put(key, values);
    return Status.OK;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    calls.add("insert " + key);
    put(key, values);
    return Status.OK;
  }

  private void put(String key, Map<String, ByteIterator> values) {
    Map<String, String> row = rows.computeIfAbsent(key, unseen -> new HashMap<>());
    values.forEach((field, value) -> row.put(field, value.toString()));
  }

  @Override
  public Status delete(String table, String key) {
    throw new UnsupportedOperationException("core workloads don't delete");
  }
}
