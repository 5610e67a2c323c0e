// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads a block from the store's files on a miss in every tier. Called by many threads at once,
 * with no lock held.
 *
 * <p><b>What a loader may call.</b> All of the cache: it may ask for other blocks, such as an index
 * block that it needs, offer, invalidate and close. A block that another thread is loading it loads
 * a second time, instead of waiting. To ask for the very block that it is loading is refused with
 * {@link IllegalStateException}. It must not wait for another thread that asks for that block; such
 * a thread gets an {@link IOException} after {@link TieredBlockCacheBuilder#patience}.
 *
 * <p>What a loader throws goes to all callers that wait for the block.
 */
@FunctionalInterface
public interface BlockLoader {
  /**
   * Reads one block.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file
   * @return a buffer whose remaining bytes are the block as stored on disk. The cache may keep a
   *     heap buffer, which must not be changed afterwards; it copies direct memory before the call
   *     returns, so an arena may be closed and a mapping may go
   * @throws IOException if the file can't be read; the caller of the cache gets this very exception
   */
  ByteBuffer load(long fileId, long offset) throws IOException;

  /**
   * Reads one block whose length the caller of the cache has given, with room for it. A loader that
   * reads into {@code room} spares an allocation and a copy: {@code room} already is the memory
   * that the DRAM tier wants to keep.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file
   * @param room an empty buffer, heap or direct, of exactly that length; no other thread sees it
   * @return either {@code room}, flipped, or any other buffer that {@link #load(long, long)} might
   *     return
   * @throws IOException if the file can't be read; the caller of the cache gets this very exception
   */
  default ByteBuffer load(long fileId, long offset, ByteBuffer room) throws IOException {
    return load(fileId, offset);
  }
}
