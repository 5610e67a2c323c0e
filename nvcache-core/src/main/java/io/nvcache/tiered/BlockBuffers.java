// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import io.nvcache.PinnedBlock;
import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the buffers in which the DRAM tier keeps blocks: of the right kind, and no byte too long.
 */
record BlockBuffers(DramValues kind) {
  ByteBuffer allocate(int lengthBytes) {
    return kind == DramValues.DIRECT
        ? ByteBuffer.allocateDirect(lengthBytes)
        : ByteBuffer.allocate(lengthBytes);
  }

  /**
   * Returns a read-only buffer for keeping of what a loader gave: that buffer itself if it is the
   * room that was given to the loader and was filled, or a whole array where arrays are wanted;
   * else a copy. Direct memory of another's may go while it is kept: its arena is closed, its file
   * is cut short. And a part of a buffer would keep all of it allocated, unseen by the weigher.
   */
  @SuppressWarnings("ReferenceEquality") // Equal bytes are not the same memory.
  ByteBuffer keep(ByteBuffer block, @Nullable ByteBuffer room) {
    boolean whole = block.remaining() == block.capacity();
    return whole && (block == room || (kind == DramValues.HEAP && isWholeArray(block)))
        ? block.asReadOnlyBuffer()
        : copy(block);
  }

  private static boolean isWholeArray(ByteBuffer block) {
    return block.hasArray() && block.arrayOffset() == 0 && block.array().length == block.capacity();
  }

  /** Returns a read-only copy of a pinned block. */
  ByteBuffer copy(PinnedBlock pin) {
    ByteBuffer copy = allocate(pin.length());
    pin.copyTo(copy);
    return copy.flip().asReadOnlyBuffer();
  }

  /** Returns a read-only copy of the block's bytes; the block's position stays. */
  ByteBuffer copy(ByteBuffer block) {
    ByteBuffer copy = allocate(block.remaining()).put(block.duplicate()).flip();
    if (block.isDirect()) {
      RawMemory.deliverFaults(); // A mapping whose file was cut short: what was copied is not it.
    }
    return copy.asReadOnlyBuffer();
  }
}
