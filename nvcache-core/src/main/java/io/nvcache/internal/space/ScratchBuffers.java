// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferPool;
import org.jspecify.annotations.Nullable;

/** Buffers for blocks, lent for the time of one read or offer. */
public final class ScratchBuffers implements AutoCloseable {
  private final int maxBlockBytes;
  private final BufferPool<AlignedBuffer> pool;

  /**
   * Makes a pool for blocks up to a length.
   *
   * @param limitBytes that all buffers together may take
   */
  public ScratchBuffers(int maxBlockBytes, long limitBytes) {
    this.maxBlockBytes = maxBlockBytes;
    this.pool = BufferPool.ofBuffers(maxBlockBytes, Long.BYTES, limitBytes);
  }

  /**
   * Returns a buffer with room for so many bytes, the longest block's at most, that is the calling
   * thread's own until it gives it back; null if there isn't any memory left for it.
   */
  public @Nullable AlignedBuffer take(int lengthBytes) {
    return pool.take(Math.min(lengthBytes, maxBlockBytes));
  }

  public void giveBack(AlignedBuffer buffer) {
    pool.giveBack(buffer);
  }

  /** Returns the bytes of all buffers that there are, lent or not. */
  public long bytes() {
    return pool.allocatedBytes();
  }

  /** Frees the buffers, those that are lent when they are given back. */
  @Override
  public void close() {
    pool.close();
  }
}
