// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Compares the checksums behind the chunks of one compressed file before these are cached.
 * Cassandra compares them as well, but after the chunk was offered: what a disk returned wrong once
 * would come back with each hit, as a corrupt SSTable, and on flash even after a restart.
 *
 * <p>Where {@code crc_check_chance} is below 1, chunks are read without their checksum, and then
 * can't be checked. A file of which no read ever had a checksum that fits is taken for one that is
 * always read so; of others, only what was read with its checksum is cached. Thread-safe.
 */
public final class ChunkSums {
  /** A CRC-32, big-endian. */
  static final int SUM_BYTES = Integer.BYTES;

  private final int maxCompressedLength;
  private volatile boolean readWithSums;

  /**
   * Has seen no chunk yet.
   *
   * @param maxCompressedLength a chunk of so many bytes or more is not compressed, and its checksum
   *     is read by its own read
   */
  public ChunkSums(int maxCompressedLength) {
    this.maxCompressedLength = maxCompressedLength;
  }

  /** Returns whether a chunk, from position to limit, may be cached as it was read. */
  boolean allow(ByteBuffer chunk) {
    if (fits(chunk)) {
      readWithSums = true;
      return true;
    }
    return !readWithSums || chunk.remaining() >= maxCompressedLength;
  }

  /** Returns whether the bytes from position to limit end with the checksum of those before. */
  static boolean fits(ByteBuffer chunk) {
    if (chunk.remaining() <= SUM_BYTES) {
      return false;
    }
    ByteBuffer checked = chunk.duplicate(); // Big-endian, whatever the order of the chunk is.
    int end = checked.limit() - SUM_BYTES;
    int expected = checked.getInt(end);
    CRC32 sum = new CRC32();
    sum.update(checked.limit(end));
    return (int) sum.getValue() == expected;
  }
}
