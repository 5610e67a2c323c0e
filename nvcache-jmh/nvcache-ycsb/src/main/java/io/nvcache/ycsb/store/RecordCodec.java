// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Packs the fields of a record into one value that can tell whether it is whole and stored under
 * its own key.
 *
 * <pre>
 *  0        4            8                8 + n
 *  +--------+------------+----------------+------------+----
 *  | CRC32C | n = length | first field    | length     | ...
 *  +--------+------------+----------------+------------+----
 *            \________________ CRC of this and of the key
 * </pre>
 */
final class RecordCodec {
  private final int fieldCount;

  RecordCodec(int fieldCount) {
    this.fieldCount = fieldCount;
  }

  int fieldCount() {
    return fieldCount;
  }

  byte[] encode(byte[] key, byte[][] fields) {
    int length = Integer.BYTES;
    for (byte[] field : fields) {
      length += Integer.BYTES + field.length;
    }
    ByteBuffer record = ByteBuffer.allocate(length).position(Integer.BYTES);
    for (byte[] field : fields) {
      record.putInt(field.length).put(field);
    }
    record.putInt(0, checksum(key, record.array()));
    return record.array();
  }

  /** The fields, or null if the bytes are no record of this key. */
  byte @Nullable [][] decode(byte[] key, byte[] record) {
    if (record.length < Integer.BYTES) {
      return null;
    }
    ByteBuffer source = ByteBuffer.wrap(record);
    if (source.getInt() != checksum(key, record)) {
      return null;
    }
    byte[][] fields = new byte[fieldCount][];
    for (int i = 0; i < fieldCount; i++) {
      fields[i] = new byte[source.getInt()];
      source.get(fields[i]);
    }
    return fields;
  }

  private static int checksum(byte[] key, byte[] record) {
    CRC32C crc = new CRC32C();
    crc.update(key);
    crc.update(record, Integer.BYTES, record.length - Integer.BYTES);
    return (int) crc.getValue();
  }
}
