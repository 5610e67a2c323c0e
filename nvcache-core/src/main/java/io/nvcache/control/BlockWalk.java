// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

import java.nio.ByteBuffer;

/**
 * A walk over the blocks of a {@link io.nvcache.BlockCache}, for pages and counts that people look
 * at. Begins before the first block:
 *
 * <pre>{@code
 * for (BlockWalk walk = cache.control().walk(); walk.next(); ) {
 *   ... walk.fileId() ... walk.offset() ... walk.lengthBytes() ...
 * }
 * }</pre>
 *
 * <p>Each block that the walk visits was cached at some moment of the walk, under the file
 * reported. A block that comes or goes during the walk may be visited or not; one that stays is
 * visited once. The order follows a hash, so the first blocks visited are a random sample of all.
 * Costs the heap a fixed buffer, and the cache neither locks nor counts: a walk is not a lookup.
 * Ends early if the cache is closed. Not thread-safe; any number of walks may continue at once.
 */
public interface BlockWalk {
  /** Goes on to the next block; false at the end. */
  boolean next();

  /** Returns the block's file. */
  long fileId();

  /** Returns the block's first byte in its file. */
  long offset();

  /** Returns the block's length in bytes. */
  int lengthBytes();

  /**
   * Copies the first bytes of the block, as many as {@code dst} has room for and the block has, to
   * {@code dst} at its position, and advances that.
   *
   * @return the number of bytes, or {@link io.nvcache.BlockCache#MISS} if the block is gone by now,
   *     can't be read, or is not what was written, by its checksum, or if the cache is out of
   *     service; what lies between position and limit may have been overwritten then
   */
  int peek(ByteBuffer dst);
}
