// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

/** The calls that a store answers. A read-modify-write is a read and an update. */
public enum StoreCall {
  /** One record by its key. */
  READ,
  /** A run of records from a key on. */
  SCAN,
  /** One field of a record changed. */
  UPDATE,
  /** A new record. */
  INSERT
}
