// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.control.DataSet;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** Sums up the lengths of the store's files. */
public final class RegisteredFiles implements DataSet {
  private final ConcurrentMap<Long, Long> lengths = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();
  private volatile boolean known;

  @Override
  public void register(long fileId, long lengthBytes) {
    if (lengthBytes < 0) {
      throw new IllegalArgumentException(
          "lengthBytes of file " + fileId + " is " + lengthBytes + "; it must not be negative");
    }
    Long before = lengths.put(fileId, lengthBytes);
    bytes.addAndGet(lengthBytes - (before == null ? 0 : before));
    known = true;
  }

  @Override
  public void unregister(long fileId) {
    Long before = lengths.remove(fileId);
    if (before != null) {
      bytes.addAndGet(-before);
    }
  }

  @Override
  public OptionalLong bytes() {
    return known ? OptionalLong.of(bytes.get()) : OptionalLong.empty();
  }
}
