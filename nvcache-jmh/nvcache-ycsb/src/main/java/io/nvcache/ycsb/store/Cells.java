// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import org.apache.hadoop.hbase.KeyValue;

/**
 * The cells of the store: one for each record, all of one column, time and type, so that a record
 * is found by an exact seek. A newer record is in a newer file.
 */
final class Cells {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {};
  private static final long TIMESTAMP = 1;

  private Cells() {}

  static KeyValue of(byte[] key, byte[] value) {
    return new KeyValue(key, FAMILY, QUALIFIER, TIMESTAMP, KeyValue.Type.Put, value);
  }

  /** The cell to seek to for a record. */
  static KeyValue key(byte[] key) {
    return of(key, new byte[0]);
  }
}
