// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import java.nio.ByteBuffer;

/**
 * A cache under comparison, filled with numbered blocks of one length. Each implementation is the
 * fastest correct use of its cache, except where its comment says that it is spared something.
 *
 * <p>A block begins with its {@linkplain #stamp stamp}, so that answers can be checked cheaply.
 */
interface Contender extends AutoCloseable {
  /** What {@link #touch} returns for a block that is not there; no block's stamp. */
  long ABSENT = 0;

  /** The first eight bytes, in big-endian order, of a block. */
  static long stamp(long key) {
    return key + 1;
  }

  /** Copies a block to the position of {@code dst}; whether it was there. */
  boolean get(long key, ByteBuffer dst);

  /** Whether {@link #touch} reads a block where it lies. */
  default boolean isZeroCopy() {
    return true;
  }

  /** The first eight bytes of a block, read without copying the rest, or {@link #ABSENT}. */
  long touch(long key);

  /** Inserts a block that is not there, the remaining bytes of {@code block}, which stays as is. */
  void put(long key, ByteBuffer block);

  /** Replaces a block by a newer version. */
  default void replace(long key, ByteBuffer block) {
    put(key, block);
  }

  /** Waits for what other threads still do about earlier calls. */
  default void settle() {}

  /** Bytes of DRAM beyond the blocks, as told by the cache itself; negative if it tells nothing. */
  default long metadataBytes() {
    return -1;
  }

  @Override
  void close();
}
