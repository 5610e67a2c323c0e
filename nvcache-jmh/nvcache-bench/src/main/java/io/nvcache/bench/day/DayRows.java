// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * The rows of the table of one server, with the versions that were written of each. Each byte of a
 * value follows from its row and its version, so that each read can be checked. Thread-safe.
 */
final class DayRows {
  static final byte[] FAMILY = {'f'};
  private static final byte[] COLUMN = {'c'};
  private static final int KEY_BYTES = 26;
  private static final int VALUE_BYTES = 1000;

  /** A timestamp that is older than the day, so that versions are the order of values. */
  private static final long FIRST_STAMP = 1_700_000_000_000L;

  private final AtomicIntegerArray begun;
  private final AtomicIntegerArray written;

  /** Makes rows of version 0. */
  DayRows(int rows) {
    this.begun = new AtomicIntegerArray(rows);
    this.written = new AtomicIntegerArray(rows);
  }

  /** Returns the key of a row: its number in digits, with zeros before them. */
  static byte[] key(long row) {
    byte[] key = new byte[KEY_BYTES];
    long rest = row;
    for (int i = KEY_BYTES - 1; i >= 0; i--) {
      key[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return key;
  }

  static Get get(int row) {
    return new Get(key(row));
  }

  static Put put(int row, int version) {
    return new Put(key(row)).addColumn(FAMILY, COLUMN, FIRST_STAMP + version, value(row, version));
  }

  private static byte[] value(int row, int version) {
    ByteBuffer value = ByteBuffer.allocate(VALUE_BYTES).putInt(row).putInt(version);
    long state = ((long) row << Integer.SIZE | version) * 0x9E3779B97F4A7C15L | 1;
    while (value.remaining() >= Long.BYTES) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      value.putLong(state);
    }
    return value.array();
  }

  /** Returns the version of the next write to a row. */
  int beginWrite(int row) {
    return begun.incrementAndGet(row);
  }

  /** Notes that a write was acknowledged. */
  void endWrite(int row, int version) {
    written.accumulateAndGet(row, version, Math::max);
  }

  /** Returns the newest version that a read which begins now has to find, or one newer. */
  int least(int row) {
    return written.get(row);
  }

  /** Returns whether a read found what it had to. */
  static boolean isRight(Result result, int row, int least) {
    byte[] value = result.getValue(FAMILY, COLUMN);
    if (value == null || value.length != VALUE_BYTES) {
      return false;
    }
    int version = ByteBuffer.wrap(value).getInt(Integer.BYTES);
    return version >= least && Arrays.equals(value, value(row, version));
  }
}
