// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import io.nvcache.control.DataSet;

/** A data set of one number. */
public final class MutableDataSet implements DataSet {
  private volatile long bytes = UNKNOWN;

  public void bytes(long bytes) {
    this.bytes = bytes;
  }

  @Override
  public void register(long fileId, long lengthBytes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void unregister(long fileId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long bytes() {
    return bytes;
  }
}
