// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Buffers as long as the longest block, lent for the time of one read: as many as are in use at
 * once, and no more than {@link #MOST} are kept. One for each thread would be bounded by nothing
 * but the threads, of which a store with virtual ones has any number.
 *
 * <p><b>Invariants.</b> A buffer is in one place of the pool or lent to one thread. Taking and
 * giving back is one atomic exchange each, in a place that mostly one thread uses, on cache lines
 * that no other place is on.
 */
public final class ScratchBuffers {
  /** Beyond this many at once, they are made anew each time. */
  static final int MOST = 64;

  /** Places that a thread looks for a buffer in, from the one its number gives on. */
  private static final int PLACES = 4;

  /**
   * References from one place to the next: of four bytes each, two cache lines, which processors
   * fetch together. As many lie before the first place, which keep it off the array's length, and
   * behind the last one.
   */
  private static final int SPACING = 32;

  private final AtomicReferenceArray<@Nullable ByteBuffer> pool =
      new AtomicReferenceArray<>((MOST + 1) * SPACING);
  private final int lengthBytes;

  public ScratchBuffers(int lengthBytes) {
    this.lengthBytes = lengthBytes;
  }

  /** A buffer of the calling thread's own, empty, until it gives it back. */
  public ByteBuffer take() {
    int home = home();
    for (int i = 0; i < PLACES; i++) {
      int place = place(home + i);
      if (pool.getPlain(place) != null) {
        ByteBuffer buffer = pool.getAndSet(place, null);
        if (buffer != null) {
          return buffer.clear();
        }
      }
    }
    return allocate();
  }

  /** A JVM short of direct memory costs a read its speed, and not the store its thread. */
  private ByteBuffer allocate() {
    try {
      return ByteBuffer.allocateDirect(lengthBytes);
    } catch (OutOfMemoryError noDirectMemory) {
      return ByteBuffer.allocate(lengthBytes);
    }
  }

  /** Gives a buffer back; one that finds no place is left to the garbage collector. */
  public void giveBack(ByteBuffer buffer) {
    int home = home();
    for (int i = 0; i < PLACES; i++) {
      if (pool.compareAndSet(place(home + i), null, buffer)) {
        return;
      }
    }
  }

  /** Bytes of the buffers that are kept and not lent just now. */
  long bytes() {
    long bytes = 0;
    for (int i = 0; i < MOST; i++) {
      bytes += pool.get(place(i)) == null ? 0 : lengthBytes;
    }
    return bytes;
  }

  private static int home() {
    return (int) (Thread.currentThread().getId() & (MOST - 1));
  }

  private static int place(int i) {
    return (i % MOST + 1) * SPACING;
  }
}
