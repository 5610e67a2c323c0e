// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.nio.ByteBuffer;

/**
 * A pin on the bytes of one cached block. The bytes are the block's, unchanged, until the pin is
 * closed.
 *
 * <p>A pin may be handed from thread to thread; it must be closed once, and the first {@link
 * #close} wins.
 */
public interface PinnedBlock extends AutoCloseable {
  /** Returns the block's length in bytes. */
  int length();

  /**
   * Returns a read-only view of the block, position 0, limit {@link #length}. Not to be used after
   * {@link #close}: it then shows whatever the space holds next, though it never crashes the JVM.
   *
   * <p>On a medium in a file the view is a mapping like any other: if the file is cut short while
   * it is pinned, reading it is an {@link InternalError}, and what the JVM computes over it with
   * its own instructions, such as a {@link java.util.zip.CRC32C}, ends the JVM. {@link #copyTo} a
   * buffer first where that matters.
   *
   * @throws IllegalStateException if the pin is closed
   */
  ByteBuffer buffer();

  /**
   * Copies the block into {@code dst} at its position and advances that by the block's length.
   *
   * @throws java.nio.BufferOverflowException if {@code dst} has less room; it is unchanged
   * @throws java.nio.ReadOnlyBufferException if {@code dst} is read-only
   * @throws IllegalStateException if the pin is closed
   */
  void copyTo(ByteBuffer dst);

  /**
   * Reads eight bytes in big-endian order without creating a view.
   *
   * @throws IndexOutOfBoundsException if the eight bytes are not all inside the block
   * @throws IllegalStateException if the pin is closed
   */
  long getLong(int index);

  /** Gives the bytes back. Closing again does nothing. */
  @Override
  void close();
}
