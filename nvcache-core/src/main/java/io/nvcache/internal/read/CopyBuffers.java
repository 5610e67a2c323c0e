// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.memory.LendingPool;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies of blocks in direct memory, of powers of two bytes, lent for as long as a pin lasts. A
 * copy has one {@link BlockCopy} for good, as what its views belong to is dear to make anew for
 * each.
 */
final class CopyBuffers {
  private static final int LEAST_SHIFT = 12;

  private final LendingPool<BlockCopy>[] pools;

  /**
   * Makes pools for blocks up to a length.
   *
   * @param medium of the cache, which is asked for when a copy is made
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  CopyBuffers(int maxBlockBytes, Supplier<MediumHandle> medium) {
    this.pools = new LendingPool[place(maxBlockBytes) + 1];
    Arrays.setAll(
        pools,
        i ->
            new LendingPool<>(
                () ->
                    new BlockCopy(
                        medium.get(), ByteBuffer.allocateDirect(1 << (LEAST_SHIFT + i)))));
  }

  private static int place(int lengthBytes) {
    int shift = Integer.SIZE - Integer.numberOfLeadingZeros(lengthBytes - 1);
    return Math.max(0, shift - LEAST_SHIFT);
  }

  /**
   * Returns a copy with room for a block.
   *
   * @throws OutOfMemoryError if the JVM may use no more direct memory
   */
  BlockCopy take(int lengthBytes) {
    return pools[place(lengthBytes)].take();
  }

  /**
   * Returns one of those that are kept; null if all of this length are lent. More of them would be
   * left to the garbage collector, which frees no direct memory before that is used up.
   *
   * @throws OutOfMemoryError if the JVM may use no more direct memory
   */
  @Nullable BlockCopy takeKept(int lengthBytes) {
    return pools[place(lengthBytes)].takeOfMost();
  }

  void giveBack(BlockCopy copy) {
    pools[place(copy.room().capacity())].giveBack(copy);
  }
}
