// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.control.DataSet;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** The naive data set: a map of lengths, summed up when asked. */
public final class ReferenceDataSet implements DataSet {
  private final Map<Long, Long> lengths = new HashMap<>();
  private boolean known;

  @Override
  public synchronized void register(long fileId, long lengthBytes) {
    if (lengthBytes < 0) {
      throw new IllegalArgumentException("length " + lengthBytes + " is negative");
    }
    lengths.put(fileId, lengthBytes);
    known = true;
  }

  @Override
  public synchronized void unregister(long fileId) {
    lengths.remove(fileId);
  }

  @Override
  public synchronized OptionalLong bytes() {
    return known
        ? OptionalLong.of(lengths.values().stream().mapToLong(Long::longValue).sum())
        : OptionalLong.empty();
  }
}
