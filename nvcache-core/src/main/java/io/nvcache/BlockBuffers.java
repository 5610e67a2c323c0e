// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.nio.ByteBuffer;

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
   * A read-only buffer of the block's bytes for keeping: the block itself if it is of the right
   * kind and fills its memory, else a copy. A slice would keep all of the memory it was cut from
   * alive, unseen by the weigher.
   */
  ByteBuffer keep(ByteBuffer block) {
    boolean right = block.isDirect() == (kind == DramValues.DIRECT);
    boolean whole = block.remaining() == block.capacity();
    boolean slice =
        block.hasArray() && (block.arrayOffset() != 0 || block.array().length != block.capacity());
    return right && whole && !slice ? block.asReadOnlyBuffer() : copy(block);
  }

  /** A read-only copy of a leased block. */
  ByteBuffer copy(PinnedBlock lease) {
    ByteBuffer copy = allocate(lease.length());
    lease.copyTo(copy);
    return copy.flip().asReadOnlyBuffer();
  }

  /** A read-only copy of the block's bytes; the block's position stays. */
  ByteBuffer copy(ByteBuffer block) {
    return allocate(block.remaining()).put(block.duplicate()).flip().asReadOnlyBuffer();
  }
}
