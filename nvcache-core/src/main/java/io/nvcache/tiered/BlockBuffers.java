// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import io.nvcache.PinnedBlock;
import io.nvcache.memory.CollectedBuffers;
import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Makes the buffers in which the DRAM tier keeps blocks: of the right kind, and no byte too long.
 *
 * <p>Direct memory comes back when the collector finds that a block is not used any more. While too
 * much of it waits for that, blocks are made on the heap: these bring a collection nearer, and are
 * never what forces one.
 */
final class BlockBuffers {
  /** Least room for what is evicted and not collected; otherwise a quarter of the tier. */
  private static final long LEAST_SPARE_BYTES = 16 << 20;

  private final DramValues kind;
  private final CollectedBuffers direct;
  private final LongAdder onHeap = new LongAdder();

  /** Makes buffers for a tier of a size. */
  BlockBuffers(DramValues kind, long maxDramBytes) {
    this.kind = kind;
    this.direct =
        new CollectedBuffers(maxDramBytes + Math.max(LEAST_SPARE_BYTES, maxDramBytes / 4));
  }

  ByteBuffer allocate(int lengthBytes) {
    if (kind == DramValues.HEAP) {
      return ByteBuffer.allocate(lengthBytes);
    }
    ByteBuffer buffer = direct.allocate(lengthBytes);
    if (buffer == null) {
      onHeap.increment();
      return ByteBuffer.allocate(lengthBytes);
    }
    return buffer;
  }

  /** Returns how many were made on the heap for want of direct memory. */
  long onHeapForWantOfDirect() {
    return onHeap.sum();
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
