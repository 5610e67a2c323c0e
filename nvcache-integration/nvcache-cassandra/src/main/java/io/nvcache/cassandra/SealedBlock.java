// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.BlockCache;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The form in which chunks are cached: the bytes as on disk, then a checksum of our own. Cassandra
 * checks compressed chunks itself, but takes a mismatch for a corrupt SSTable, and does not check
 * uncompressed ones at all. The checksum covers the key too, so that a chunk that is intact but is
 * another one is found out.
 *
 * <pre>
 *  0         8        16                    16 + length
 *  +---------+--------+---------------------+----------+
 *  | file id | offset | the chunk as on disk | CRC-32C  |
 *  +---------+--------+---------------------+----------+
 *                     |<------- what is cached ------->|
 * </pre>
 *
 * <p>One for each thread, reused: a hit allocates nothing. A hit costs a second copy, since the
 * reader's buffer has no room for the checksum and must stay unchanged until that was checked.
 */
final class SealedBlock {
  /** The chunk is not cached. */
  static final int MISS = -1;

  /** What is cached is not what was sealed. */
  static final int BROKEN = -2;

  private static final int KEY_BYTES = 16;
  private static final int SEAL_BYTES = 4;
  private static final int FRAME_BYTES = KEY_BYTES + SEAL_BYTES;
  private static final int PAGE_BYTES = 4096;

  private static final ThreadLocal<SealedBlock> OF_THREAD =
      ThreadLocal.withInitial(SealedBlock::new);

  private final CRC32C checksum = new CRC32C();
  private ByteBuffer bytes = ByteBuffer.allocateDirect(0);

  SealedBlock() {}

  /** The one of the calling thread. */
  static SealedBlock ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Fetches a chunk from the cache and checks it.
   *
   * @param likely how long it probably is, in bytes
   * @param longest how long it may be, in bytes; a longer one is a miss
   * @return its length in bytes, {@link #MISS} or {@link #BROKEN}
   */
  int load(BlockCache cache, long fileId, long offset, int likely, int longest) {
    reserve(likely);
    int cached;
    try {
      cached = fetch(cache, fileId, offset);
    } catch (BufferOverflowException e) {
      // Once for a thread: the buffer keeps its new size.
      reserve(longest);
      cached = fetchIfItFits(cache, fileId, offset);
    }
    if (cached == BlockCache.MISS) {
      return MISS;
    }
    int length = cached - SEAL_BYTES;
    if (length <= 0) {
      return BROKEN;
    }
    return bytes.getInt(KEY_BYTES + length) == seal(fileId, offset, length) ? length : BROKEN;
  }

  /** Copies the first bytes of the loaded chunk, and advances the position of {@code dst}. */
  void copyTo(ByteBuffer dst, int length) {
    dst.put(dst.position(), bytes, KEY_BYTES, length);
    dst.position(dst.position() + length);
  }

  /**
   * Seals a chunk.
   *
   * @param src holds it, from the index {@code from} on; position and limit do not change
   * @return what to cache, valid until the thread's next call
   */
  ByteBuffer seal(long fileId, long offset, ByteBuffer src, int from, int length) {
    reserve(length);
    bytes.clear();
    bytes.put(KEY_BYTES, src, from, length);
    bytes.putInt(KEY_BYTES + length, seal(fileId, offset, length));
    return bytes.position(KEY_BYTES).limit(FRAME_BYTES + length);
  }

  private int fetch(BlockCache cache, long fileId, long offset) {
    bytes.clear().position(KEY_BYTES);
    int cached = cache.get(fileId, offset, bytes);
    bytes.clear();
    return cached;
  }

  private int fetchIfItFits(BlockCache cache, long fileId, long offset) {
    try {
      return fetch(cache, fileId, offset);
    } catch (BufferOverflowException e) {
      return BlockCache.MISS;
    }
  }

  /** The checksum over key and chunk, which stand in the buffer from its start. */
  private int seal(long fileId, long offset, int length) {
    bytes.putLong(0, fileId).putLong(Long.BYTES, offset);
    bytes.position(0).limit(KEY_BYTES + length);
    checksum.reset();
    checksum.update(bytes);
    bytes.clear();
    return (int) checksum.getValue();
  }

  private void reserve(int length) {
    int needed = FRAME_BYTES + length;
    if (bytes.capacity() < needed) {
      bytes = ByteBuffer.allocateDirect((needed + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);
    }
  }
}
