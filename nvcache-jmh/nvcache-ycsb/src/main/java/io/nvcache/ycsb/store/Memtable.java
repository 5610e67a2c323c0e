// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The latest records, in memory and in order, until they are flushed to a file. Thread-safe. */
final class Memtable {
  private final ConcurrentSkipListMap<byte[], byte[]> records =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  private final AtomicLong bytes = new AtomicLong();

  /** Puts a record; returns the bytes that the table holds now. */
  long put(byte[] key, byte[] value) {
    byte[] old = records.put(key, value);
    long growth = old == null ? key.length + value.length : value.length - old.length;
    return bytes.addAndGet(growth);
  }

  /** The record's value; null if nothing is known of it. */
  byte @Nullable [] get(byte[] key) {
    return records.get(key);
  }

  /** Walks over the records from a key on; may or may not see what is put during the walk. */
  RecordCursor from(byte[] key) {
    return new Cursor(records.tailMap(key).entrySet().iterator());
  }

  private static final class Cursor implements RecordCursor {
    private static final Map.Entry<byte[], byte[]> NONE = Map.entry(new byte[0], new byte[0]);

    private final Iterator<Map.Entry<byte[], byte[]>> entries;
    private Map.Entry<byte[], byte[]> current = NONE;

    Cursor(Iterator<Map.Entry<byte[], byte[]>> entries) {
      this.entries = entries;
    }

    @Override
    public boolean next() {
      boolean more = entries.hasNext();
      if (more) {
        current = entries.next();
      }
      return more;
    }

    @Override
    public byte[] key() {
      return current.getKey();
    }

    @Override
    public byte[] value() {
      return current.getValue();
    }

    @Override
    public void close() {}
  }
}
