// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import java.nio.ByteBuffer;

/**
 * A cache under comparison, filled with numbered blocks of one length. Each implementation is the
 * fastest correct use of its cache, except where its comment says that it is spared something.
 *
 * <p>A block begins with its {@linkplain #stamp stamp}, so that answers can be checked cheaply.
 */
public interface Contender extends AutoCloseable {
  /** What {@link #touch} returns for a block that is not there; no block's stamp. */
  long ABSENT = 0;

  /** What is written at the start of each cache line of a block, in big-endian order. */
  static long stamp(long key) {
    return key + 1;
  }

  /** Stamps all of a buffer, which stays as it is otherwise. */
  static ByteBuffer stamped(ByteBuffer block, long key) {
    for (int line = 0; line + Long.BYTES <= block.capacity(); line += Lane.LINE_BYTES) {
      block.putLong(line, stamp(key));
    }
    return block;
  }

  /** Copies a block to the position of {@code dst}; whether it was there. */
  boolean get(long key, ByteBuffer dst);

  /** Whether {@link #touch} reads a block where it lies. */
  default boolean isZeroCopy() {
    return true;
  }

  /**
   * Eight bytes of a block from {@code at} on, without copying the rest of it, or {@link #ABSENT}.
   *
   * @param word the thread's own eight bytes, for caches that read into a buffer
   */
  long touch(long key, int at, ByteBuffer word);

  /** Inserts a block that is not there, the remaining bytes of {@code block}, which stays as is. */
  void put(long key, ByteBuffer block);

  /** Replaces a block by a newer version. */
  default void replace(long key, ByteBuffer block) {
    put(key, block);
  }

  /** Waits for what other threads still do about earlier calls. */
  default void settle() {}

  /** Bytes of DRAM beyond the blocks, as the cache itself reports; negative if it does not. */
  default long metadataBytes() {
    return -1;
  }

  @Override
  void close();
}
