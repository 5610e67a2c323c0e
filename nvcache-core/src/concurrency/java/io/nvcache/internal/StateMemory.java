// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.index.BucketLayout;
import io.nvcache.memory.OffHeapBytes;
import io.nvcache.memory.RawMemory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Off-heap memory for the states of jcstress, which come by the million and are never closed: taken
 * in turn from one piece, far more than there are states at a time.
 */
public final class StateMemory {
  private static final int STATES = 1 << 18;
  private static final int STATE_BYTES = 2 * BucketLayout.BUCKET_BYTES;
  private static final OffHeapBytes MEMORY =
      OffHeapBytes.zeroed((long) STATES * STATE_BYTES, BucketLayout.BUCKET_BYTES);
  private static final AtomicInteger NEXT = new AtomicInteger();

  private StateMemory() {}

  /** Widens the gap that a broken variant leaves, so that few runs are enough to fall into it. */
  public static void linger() {
    for (int i = 0; i < 20; i++) {
      Thread.onSpinWait();
    }
  }

  /** The address of a bucket's and as many more bytes, all zero. */
  static long next() {
    long address = MEMORY.address() + (long) (NEXT.getAndIncrement() & (STATES - 1)) * STATE_BYTES;
    RawMemory.fill(address, STATE_BYTES, (byte) 0);
    return address;
  }
}
