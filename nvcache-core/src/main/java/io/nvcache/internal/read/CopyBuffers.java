// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.memory.BufferPool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies of blocks in native memory, of powers of two bytes, lent for as long as a pin lasts. A
 * copy has one {@link BlockCopy} for good, as what its views belong to is expensive to make again
 * for each.
 */
final class CopyBuffers implements AutoCloseable {
  private final BufferPool<BlockCopy> pool;

  /**
   * Makes a pool for blocks up to a length.
   *
   * @param alignmentBytes of their memory
   * @param limitBytes that all copies together may take
   * @param medium of the cache, which is asked for when a copy is made
   */
  CopyBuffers(
      int maxBlockBytes, int alignmentBytes, long limitBytes, Supplier<MediumHandle> medium) {
    this.pool =
        new BufferPool<>(
            maxBlockBytes,
            0,
            alignmentBytes,
            limitBytes,
            buffer -> new BlockCopy(medium.get(), buffer),
            BlockCopy::buffer);
  }

  /** Returns a copy with room for a block; null if there isn't any memory left for it. */
  @Nullable BlockCopy take(int lengthBytes) {
    return pool.take(lengthBytes);
  }

  void giveBack(BlockCopy copy) {
    pool.giveBack(copy);
  }

  /** Returns the bytes of all copies that there are, lent or not. */
  long bytes() {
    return pool.allocatedBytes();
  }

  /** Frees the copies, those that are lent when they are given back. */
  @Override
  public void close() {
    pool.close();
  }
}
