// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import io.nvcache.background.SharedCleaner;
import io.nvcache.memory.OffHeapBytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** The lifetime of an index: how long its versions count, and its memory lasts. Thread-safe. */
public final class IndexLifetime {
  private static final VarHandle EPOCH;

  static {
    try {
      EPOCH = MethodHandles.lookup().findVarHandle(IndexLifetime.class, "epoch", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final OffHeapBytes memory;

  @SuppressWarnings("UnusedVariable") // It is written through the handle.
  private volatile int epoch;

  /** Kept by who reads the memory when the index may be closed; null while no one does. */
  private @Nullable Object readers;

  IndexLifetime(OffHeapBytes memory) {
    this.memory = memory;
  }

  /**
   * Returns what a version that was taken counts for. A version means the entries that it was taken
   * with as long as the epoch is the same: it ends before the version can come again, and when the
   * index is closed.
   */
  public int epoch() {
    return epoch;
  }

  void endEpoch() {
    int before = (int) EPOCH.getAndAdd(this, 1);
    assert before >= 0 : before;
  }

  /**
   * Keeps the versions readable when the index is closed, for as long as what this returns is
   * reachable. To be called while it is open.
   */
  public synchronized Object leaveToCollector() {
    Object kept = readers;
    if (kept == null) {
      kept = new Object();
      readers = kept;
      SharedCleaner.register(kept, memory::close);
    }
    return kept;
  }

  private synchronized boolean isLeftToCollector() {
    boolean left = readers != null;
    readers = null;
    return left;
  }

  /** Frees the memory, unless it is left to the collector. */
  void freeUnlessLeft() {
    if (!isLeftToCollector()) {
      memory.close();
    }
  }
}
