// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.memory.LendingPool;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Direct buffers for copies of blocks, lent for as long as a pin lasts; of powers of two bytes. */
final class CopyBuffers {
  private static final int LEAST_SHIFT = 12;

  private final LendingPool<ByteBuffer>[] pools;

  /** Makes pools for blocks up to a length. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  CopyBuffers(int maxBlockBytes) {
    this.pools = new LendingPool[place(maxBlockBytes) + 1];
    Arrays.setAll(
        pools, i -> new LendingPool<>(() -> ByteBuffer.allocateDirect(1 << (LEAST_SHIFT + i))));
  }

  private static int place(int lengthBytes) {
    int shift = Integer.SIZE - Integer.numberOfLeadingZeros(lengthBytes - 1);
    return Math.max(0, shift - LEAST_SHIFT);
  }

  /**
   * Returns a buffer for a block.
   *
   * @throws OutOfMemoryError if the JVM may use no more direct memory
   */
  ByteBuffer take(int lengthBytes) {
    return pools[place(lengthBytes)].take().clear();
  }

  void giveBack(ByteBuffer buffer) {
    pools[place(buffer.capacity())].giveBack(buffer);
  }
}
