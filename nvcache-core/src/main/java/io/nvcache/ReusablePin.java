// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.nio.ByteBuffer;

/**
 * A pin that moves from block to block: what {@link BlockCache#pinOrCopy} gives, without an object
 * for each block. For readers that go through many blocks and read each piece by piece.
 *
 * <p>It is on one block or on none, and begins on none. The bytes of the block it is on stay the
 * block's until the next {@link #moveTo} or {@link #unpin}, even when the block is evicted or
 * invalidated, or the cache is closed, in between. Who drops it for good must {@code unpin} it, or
 * the block's space stays taken.
 *
 * <p><b>Threads.</b> For one thread at a time. It may be handed from thread to thread; a call that
 * comes while another one runs throws {@link IllegalStateException} and changes nothing. So none
 * can give back a block that another thread copies.
 */
public interface ReusablePin {
  /**
   * Unpins the block it is on, and pins another.
   *
   * <p>Past the bound of what pins may hold ({@link BlockCacheBuilder#maxPinnedBytes}), and on a
   * medium that can't be read in place, it is on a copy on the heap, in memory that it keeps for
   * the next.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @return the block's length in bytes; or {@link BlockCache#MISS}, and then it is on none
   * @throws IllegalArgumentException if {@code offset} is negative; it is where it was, then
   * @throws IllegalStateException if another call runs
   */
  int moveTo(long fileId, long offset);

  /**
   * Copies a part of the block it is on: from its byte {@code from} on as much as {@code dst} has
   * room for, and no further than the block's end. The position of {@code dst} advances by that.
   *
   * @param from the first byte wanted, counted from the block's first, ≥ 0
   * @param dst a writable buffer, heap or direct
   * @return the number of bytes copied, 0 if the block ends right before {@code from}
   * @throws IndexOutOfBoundsException if {@code from} is negative or beyond the block's end
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws IllegalStateException if it is on no block, or another call runs
   * @throws InternalError if the block or {@code dst} is in a mapping whose file was cut short
   */
  int copyRange(int from, ByteBuffer dst);

  /**
   * Gives back the block it is on. It can move to another one afterwards. Does nothing if it is on
   * none.
   *
   * @throws IllegalStateException if another call runs
   */
  void unpin();
}
