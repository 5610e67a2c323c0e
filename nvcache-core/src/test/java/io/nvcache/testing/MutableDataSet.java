// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import io.nvcache.control.DataSet;
import java.util.OptionalLong;

/** A data set of one number. */
public final class MutableDataSet implements DataSet {
  private volatile OptionalLong bytes = OptionalLong.empty();

  public void bytes(long bytes) {
    this.bytes = OptionalLong.of(bytes);
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
  public OptionalLong bytes() {
    return bytes;
  }
}
