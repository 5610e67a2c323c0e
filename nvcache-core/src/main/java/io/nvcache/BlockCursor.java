// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/**
 * Reads cached blocks of a file where they lie in memory: without a copy, and without a pin. It is
 * at one block or at none, and begins at none.
 *
 * <p>Nothing keeps the block there. It may be evicted or invalidated, and its place be written to,
 * while it is read. So a caller that has read something asks {@link #isThere} before it believes
 * it:
 *
 * <pre>{@code
 * long value = cursor.getLong(index);
 * boolean believed = cursor.isThere(); // If not, anything may have been read: move there again.
 * }</pre>
 *
 * <p>A read never leaves the memory of the medium, which stays allocated for as long as there are
 * cursors, even when the cache is closed. Numbers are read in little-endian order.
 *
 * <p><b>Threads.</b> For one thread at a time.
 */
public interface BlockCursor {
  /** What {@link #moveTo} returns for a block that is cached where it can't be read in place. */
  int NOT_IN_PLACE = -2;

  /**
   * Looks a block up, as {@link BlockCache#get} does, and counts that. To move again to the block
   * that it is at, or was until it was {@linkplain #isThere not there} any more, counts only if the
   * block is not found.
   *
   * @param offset the block's first byte in the file, ≥ 0
   * @return the block's length in bytes; {@link BlockCache#MISS}, or {@link #NOT_IN_PLACE} for a
   *     block to be pinned or copied instead, and then it is at none
   * @throws IllegalArgumentException if {@code offset} is negative
   */
  int moveTo(long offset);

  /**
   * Returns whether the block was there, unchanged, all the time since the cursor moved to it. Once
   * it is false, it stays false until the cursor moves.
   */
  boolean isThere();

  /**
   * Reads a byte.
   *
   * @param index counted from the block's first byte
   * @throws IndexOutOfBoundsException if it is none of the block's, or the cursor is at none
   */
  byte getByte(int index);

  /** Reads two bytes; see {@link #getByte}. */
  short getShort(int index);

  /** Reads four bytes; see {@link #getByte}. */
  int getInt(int index);

  /** Reads eight bytes; see {@link #getByte}. */
  long getLong(int index);

  /**
   * Copies bytes.
   *
   * @param index counted from the block's first byte
   * @param to the first element that is written
   * @throws IndexOutOfBoundsException if that is not all of the block's and of the array's
   */
  void get(int index, byte[] dst, int to, int count);

  /** Copies numbers of four bytes; see {@link #get(int, byte[], int, int)}. */
  void get(int index, int[] dst, int to, int count);

  /** Copies numbers of eight bytes; see {@link #get(int, byte[], int, int)}. */
  void get(int index, long[] dst, int to, int count);

  /** Copies floating-point numbers of four bytes; see {@link #get(int, byte[], int, int)}. */
  void get(int index, float[] dst, int to, int count);
}
