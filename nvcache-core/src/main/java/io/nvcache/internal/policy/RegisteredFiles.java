// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.control.DataSet;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Sums up the lengths of the store's files; a sum that no long has room for is the largest long.
 */
public final class RegisteredFiles implements DataSet {
  private static final long LOW = (1L << Integer.SIZE) - 1;

  private final ConcurrentMap<Long, Long> lengths = new ConcurrentHashMap<>();
  private volatile long bytes;
  private volatile boolean known;

  // The sum, in units of 2^32 bytes and single ones: each has room for billions of files.
  private long high;
  private long low;

  @Override
  public void register(long fileId, long lengthBytes) {
    if (lengthBytes < 0) {
      throw new IllegalArgumentException(
          "lengthBytes of file " + fileId + " is " + lengthBytes + "; it must not be negative");
    }
    synchronized (this) {
      Long before = lengths.put(fileId, lengthBytes);
      change(lengthBytes, before == null ? 0 : before);
    }
    known = true;
  }

  @Override
  public void unregister(long fileId) {
    if (lengths.containsKey(fileId)) { // Each file that is invalidated comes here.
      remove(fileId);
    }
  }

  private synchronized void remove(long fileId) {
    Long before = lengths.remove(fileId);
    if (before != null) {
      change(0, before);
    }
  }

  /** Under the monitor. */
  private void change(long addedBytes, long removedBytes) {
    high += (addedBytes >>> Integer.SIZE) - (removedBytes >>> Integer.SIZE);
    low += (addedBytes & LOW) - (removedBytes & LOW);
    long whole = high + (low >> Integer.SIZE);
    bytes = whole > Integer.MAX_VALUE ? Long.MAX_VALUE : (whole << Integer.SIZE) + (low & LOW);
  }

  @Override
  public OptionalLong bytes() {
    return known ? OptionalLong.of(bytes) : OptionalLong.empty();
  }
}
