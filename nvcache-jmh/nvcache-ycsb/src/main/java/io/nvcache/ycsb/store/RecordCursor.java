// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.Closeable;
import java.io.IOException;

/** Walks over records in the order of their keys. For one thread. */
interface RecordCursor extends Closeable {
  /** Moves to the next record, at first to the first one; false when there is none. */
  boolean next() throws IOException;

  /** The key of the record that the cursor is on. */
  byte[] key();

  /** Its value. */
  byte[] value();

  /** Lets go of files and blocks. */
  @Override
  void close();
}
