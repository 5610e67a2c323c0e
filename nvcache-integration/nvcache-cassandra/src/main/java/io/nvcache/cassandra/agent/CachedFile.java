// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import java.nio.ByteBuffer;

/**
 * The file that a woven {@code ChannelProxy} reads: the tag of the channel. No method throws.
 * Thread-safe.
 */
public abstract class CachedFile {
  /**
   * Serves a read from the cache.
   *
   * @param dst the reader's buffer; its position advances by what was copied
   * @param position the first byte wanted, counted from the start of the file
   * @return the number of bytes copied, as much as the file would have given; 0 if the file has to
   *     be read, and then the position of {@code dst} is unchanged, though bytes between position
   *     and limit may have been overwritten
   */
  public abstract int read(ByteBuffer dst, long position);

  /**
   * Offers what was read from the file after {@link #read} had returned 0.
   *
   * @param dst the reader's buffer, with the bytes read right before its position; unchanged when
   *     the method returns
   * @param position the first byte read, counted from the start of the file
   * @param bytes how many were read, more than 0
   */
  public abstract void missed(ByteBuffer dst, long position, int bytes);

  /** Reports that the last reader of the channel is closed. */
  public abstract void release();
}
