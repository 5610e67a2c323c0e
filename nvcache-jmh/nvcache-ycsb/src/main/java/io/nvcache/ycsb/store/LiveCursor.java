// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.IOException;

/** Walks over another cursor's records and leaves out the tombstones. */
record LiveCursor(RecordCursor all) implements RecordCursor {
  @Override
  public boolean next() throws IOException {
    while (all.next()) {
      if (all.value().length > 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public byte[] key() {
    return all.key();
  }

  @Override
  public byte[] value() {
    return all.value();
  }

  @Override
  public void close() {
    all.close();
  }
}
