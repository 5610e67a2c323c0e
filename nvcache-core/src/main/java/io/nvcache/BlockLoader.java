// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads a block from the store's files on a miss in every tier. Called by many threads at once. */
@FunctionalInterface
public interface BlockLoader {
  /**
   * Reads one block.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file
   * @return a buffer whose remaining bytes are the block as stored on disk; the cache keeps it and
   *     nobody may change it afterwards
   * @throws IOException if the file can't be read; the caller of the cache gets this very exception
   */
  ByteBuffer load(long fileId, long offset) throws IOException;

  /**
   * Reads one block whose length the caller of the cache has told, with room for it. A loader that
   * reads into {@code room} spares an allocation and a copy: {@code room} already is the memory
   * that the DRAM tier wants to keep.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file
   * @param room an empty buffer, heap or direct, with exactly the told length; nobody else sees it
   * @return either {@code room}, flipped, or any other buffer that {@link #load(long, long)} might
   *     return
   * @throws IOException if the file can't be read; the caller of the cache gets this very exception
   */
  default ByteBuffer load(long fileId, long offset, ByteBuffer room) throws IOException {
    return load(fileId, offset);
  }
}
