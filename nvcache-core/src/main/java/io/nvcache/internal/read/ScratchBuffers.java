// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.memory.LendingPool;
import java.nio.ByteBuffer;

/** Buffers as long as the longest block, lent for the time of one read. */
public final class ScratchBuffers {
  private final LendingPool<ByteBuffer> pool = new LendingPool<>(this::allocate);
  private final int lengthBytes;

  public ScratchBuffers(int lengthBytes) {
    this.lengthBytes = lengthBytes;
  }

  /** Returns a buffer of the calling thread's own, empty, until it gives it back. */
  public ByteBuffer take() {
    return pool.take().clear();
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
    pool.giveBack(buffer);
  }

  /** Returns the bytes of the buffers that are kept and not lent just now. */
  long bytes() {
    return (long) pool.kept() * lengthBytes;
  }
}
