// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import java.nio.ByteBuffer;

/**
 * Puts blocks into the buffer of a log, and proves and copies those that are there or were read
 * from the medium.
 */
interface BlockCodec {
  /**
   * Puts a block, with its header, where it was allocated.
   *
   * @param hash what the index finds it by
   * @param sum of its bytes, for those that are in the clear
   */
  void put(long location, long hash, int sum, ByteBuffer block, int position, int lengthBytes);

  /**
   * Copies bytes of a block, if it is in the buffer and was so until they were copied. Otherwise it
   * is on the medium, or its entry is gone.
   *
   * @param hash what the index finds it by
   * @param lengthBytes of the whole block
   */
  boolean copyBuffered(
      long location,
      long hash,
      int lengthBytes,
      int from,
      ByteBuffer dst,
      int position,
      int copiedBytes);

  /**
   * Says where the bytes are of a block with a header that was read, if it is that very block,
   * whole and unchanged.
   *
   * @param lead where in the read's buffer the block begins
   * @param hash in the block's header, which was judged
   */
  boolean open(BlockRead read, int lead, long location, long hash, int lengthBytes);

  /** Returns the bytes of DRAM that opening takes, where so many are allocated for reads. */
  long bufferBytes(long readBytes);
}
