// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import io.nvcache.Source;
import io.nvcache.hbase.blocks.ThreadSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * One YCSB client of an {@link HFileStore}. The store is one table, whatever its name. An update
 * reads the record first, since a record is kept in one piece.
 *
 * <p>Every record read is checked against its own checksum and key. With YCSB's {@code
 * dataintegrity} on, every field read is compared with the value that YCSB writes into it as well,
 * which takes some 15 µs of CPU for a record of 1 KB. Both kinds of wrong values are counted by the
 * store and answered with {@link Status#UNEXPECTED_STATE}. For one thread.
 */
public final class YcsbDb extends DB {
  private static final Logger LOG = LoggerFactory.getLogger(YcsbDb.class);

  private final HFileStore store;
  private boolean deterministic;
  private boolean failedBefore;

  /** Makes a client; see {@link HFileStore#newClient}. */
  YcsbDb(HFileStore store) {
    this.store = store;
  }

  @Override
  public void init() {
    deterministic = Boolean.parseBoolean(getProperties().getProperty("dataintegrity", "false"));
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    byte[] keyBytes = HFileStore.bytes(key);
    try {
      byte[] record = store.get(keyBytes);
      return record == null ? Status.NOT_FOUND : unpack(key, keyBytes, record, fields, result);
    } catch (IOException | RuntimeException e) {
      return failed("read", key, e);
    }
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's own signature
  public Status scan(
      String table,
      String startKey,
      int recordCount,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    try (ThreadSource scope = ThreadSource.enter(Source.SCAN)) {
      for (Map.Entry<byte[], byte[]> found : store.scan(HFileStore.bytes(startKey), recordCount)) {
        HashMap<String, ByteIterator> row = new HashMap<>();
        String key = new String(found.getKey(), StandardCharsets.UTF_8);
        Status status = unpack(key, found.getKey(), found.getValue(), fields, row);
        if (!status.isOk()) {
          return status;
        }
        result.add(row);
      }
      return Status.OK;
    } catch (IOException | RuntimeException e) {
      return failed("scan", startKey, e);
    }
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    byte[] keyBytes = HFileStore.bytes(key);
    try {
      synchronized (store.lockOf(keyBytes)) {
        byte[] record = store.get(keyBytes);
        if (record == null) {
          return Status.NOT_FOUND;
        }
        byte[][] fields = store.codec().decode(keyBytes, record);
        if (fields == null) {
          return wrong(key, "the whole record");
        }
        return put(keyBytes, fields, values);
      }
    } catch (IOException | RuntimeException e) {
      return failed("update", key, e);
    }
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    byte[] keyBytes = HFileStore.bytes(key);
    byte[][] fields = new byte[store.codec().fieldCount()][0];
    try {
      synchronized (store.lockOf(keyBytes)) {
        return put(keyBytes, fields, values);
      }
    } catch (IOException | RuntimeException e) {
      return failed("insert", key, e);
    }
  }

  @Override
  public Status delete(String table, String key) {
    return Status.NOT_IMPLEMENTED; // None of the core workloads deletes.
  }

  private Status put(byte[] key, byte[][] fields, Map<String, ByteIterator> values)
      throws IOException {
    for (Map.Entry<String, ByteIterator> value : values.entrySet()) {
      int index = DeterministicFields.index(value.getKey());
      if (index < 0 || index >= fields.length) {
        return Status.BAD_REQUEST;
      }
      fields[index] = value.getValue().toArray();
    }
    store.put(key, store.codec().encode(key, fields));
    return Status.OK;
  }

  private Status unpack(
      String key,
      byte[] keyBytes,
      byte[] record,
      @Nullable Set<String> wanted,
      Map<String, ByteIterator> result) {
    byte[][] fields = store.codec().decode(keyBytes, record);
    if (fields == null) {
      return wrong(key, "the whole record");
    }
    for (int i = 0; i < fields.length; i++) {
      String name = DeterministicFields.name(i);
      if (wanted == null || wanted.contains(name)) {
        if (deterministic
            && !Arrays.equals(fields[i], DeterministicFields.value(key, name, fields[i].length))) {
          return wrong(key, name);
        }
        result.put(name, new ByteArrayByteIterator(fields[i]));
      }
    }
    return Status.OK;
  }

  private Status wrong(String key, String what) {
    store.countWrongValue();
    LOG.error("Wrong value read: {} of {}", what, key);
    return Status.UNEXPECTED_STATE;
  }

  private Status failed(String operation, String key, Exception e) {
    // Once a store fails it keeps failing; one stack trace from each client will do.
    if (!failedBefore) {
      LOG.error("Could not {} {}", operation, key, e);
      failedBefore = true;
    }
    return Status.ERROR;
  }
}
