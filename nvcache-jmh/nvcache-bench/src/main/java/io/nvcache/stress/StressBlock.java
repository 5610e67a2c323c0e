// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Blocks that tell what they are: name, version and length, then bytes that follow from those, and
 * a checksum of it all at the end. So a byte of another block, of another version, or a changed one
 * is found out, and so is a block that is in order but not the one that was asked for.
 *
 * <pre>
 *   | fileId (8) | offset (8) | version (4) | length (4) | words ... | CRC-32C (4) |
 * </pre>
 */
final class StressBlock {
  static final int MIN_BYTES = 64;
  static final int MAX_BYTES = 16 << 10;

  private static final int VERSION_AT = 16;
  private static final int LENGTH_AT = 20;
  private static final int WORDS_AT = 24;

  private StressBlock() {}

  /** Between the bounds, a multiple of four; mostly short, as blocks of one store are not alike. */
  static int length(long fileId, long offset, int version) {
    long h = mix(fileId * 31 + offset * 7 + version);
    int span = (h & 7) == 0 ? MAX_BYTES : MAX_BYTES / 4;
    int length = MIN_BYTES + (int) Long.remainderUnsigned(h >>> 8, span - MIN_BYTES);
    return length & -Integer.BYTES;
  }

  /** Fills the buffer from its beginning with a block, ready to be read. */
  static void write(ByteBuffer block, long fileId, long offset, int version) {
    int length = length(fileId, offset, version);
    block.clear();
    block.putLong(fileId).putLong(offset).putInt(version).putInt(length);
    for (int at = WORDS_AT; at < length - Integer.BYTES; at += Integer.BYTES) {
      block.putInt(word(fileId, offset, version, at));
    }
    block.putInt(sum(block, 0, length - Integer.BYTES));
    block.flip();
  }

  /**
   * The version of the block from {@code start} to the buffer's limit; -1 if it is not this one.
   */
  static int verify(ByteBuffer block, int start, long fileId, long offset) {
    int length = block.limit() - start;
    if (length < MIN_BYTES
        || block.getLong(start) != fileId
        || block.getLong(start + Long.BYTES) != offset
        || block.getInt(start + LENGTH_AT) != length) {
      return -1;
    }
    int version = block.getInt(start + VERSION_AT);
    if (length != length(fileId, offset, version)
        || block.getInt(start + length - Integer.BYTES)
            != sum(block, start, length - Integer.BYTES)) {
      return -1;
    }
    for (int at = WORDS_AT; at < length - Integer.BYTES; at += Integer.BYTES) {
      if (block.getInt(start + at) != word(fileId, offset, version, at)) {
        return -1;
      }
    }
    return version;
  }

  /**
   * Returns whether bytes from one place on are a block's of some version up to {@code newest}, and
   * as many as it has of those that were wanted.
   */
  static boolean isPart(
      ByteBuffer part, int from, int wanted, long fileId, long offset, int oldest, int newest) {
    ByteBuffer whole = ByteBuffer.allocate(MAX_BYTES);
    for (int version = oldest; version <= newest; version++) {
      write(whole, fileId, offset, version);
      int end = Math.min(from + wanted, whole.limit());
      if (whole.position(from).limit(end).equals(part)) {
        return true;
      }
    }
    return false;
  }

  private static int sum(ByteBuffer block, int start, int length) {
    CRC32C crc = new CRC32C();
    crc.update(block.duplicate().limit(start + length).position(start));
    return (int) crc.getValue();
  }

  private static int word(long fileId, long offset, int version, int at) {
    return (int) mix(mix(fileId + version) + 3 * offset + at);
  }

  private static long mix(long value) {
    long h = (value ^ (value >>> 32)) * 0xd6e8feb86659fd93L;
    return h ^ (h >>> 32);
  }
}
