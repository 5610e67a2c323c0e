// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

/**
 * Where things lie in a bucket of the {@link BlockIndex}: two cache lines that processors fetch
 * together, for eight blocks, sixteen bytes each.
 *
 * <pre>
 *    0        4        8                    40           56        64
 *   +--------+--------+--------------------+------------+---------+
 *   | version| spilled| 8 x location (u32) | 8 x slack  | 8 x mark|
 *   |  u32   |  u32   |                    |   (u16)    |   (u8)  |
 *   +--------+--------+--------------------+------------+---------+
 *   64                                                          128
 *   +-------------------------------------------------------------+
 *   | 8 x key (u64): file number (24) | offset in segment (40)    |
 *   +-------------------------------------------------------------+
 * </pre>
 *
 * <ul>
 *   <li><b>version</b>: odd while a writer is inside; grows by two with every change of a key,
 *       location or slack. Readers check it around what they read (a seqlock).
 *   <li><b>spilled</b>: blocks whose first bucket this is and that lie in their second one, so that
 *       most misses read one bucket only.
 *   <li><b>location</b>: where the block starts on the medium, in granules.
 *   <li><b>slack</b>: bytes at the end of the block's slab slot that are not the block's; the
 *       slot's size is known by extent, so sixteen bits give the length exactly.
 *   <li><b>mark</b>: the eviction policy's byte.
 *   <li><b>key</b>: 0 in an empty slot; file numbers start at 1.
 * </ul>
 */
final class BucketLayout {
  static final int SLOTS = 8;
  static final int SLOTS_SHIFT = 3;

  static final int VERSION_OFFSET = 0;
  static final int SPILLED_OFFSET = VERSION_OFFSET + Integer.BYTES;
  static final int LOCATIONS_OFFSET = SPILLED_OFFSET + Integer.BYTES;
  static final int SLACKS_OFFSET = LOCATIONS_OFFSET + SLOTS * Integer.BYTES;
  static final int MARKS_OFFSET = SLACKS_OFFSET + SLOTS * Short.BYTES;
  static final int KEYS_OFFSET = MARKS_OFFSET + SLOTS * Byte.BYTES;
  static final int BUCKET_BYTES = KEYS_OFFSET + SLOTS * Long.BYTES;
  static final int BUCKET_SHIFT = 7;

  static final int OFFSET_BITS = 40;
  static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;
  static final int MAX_FILE_NUMBER = (1 << (Long.SIZE - OFFSET_BITS)) - 1;
  static final int MAX_SLACK_BYTES = 0xFFFF;

  static final long EMPTY_KEY = 0;

  static {
    if (BUCKET_BYTES != 1 << BUCKET_SHIFT || SLOTS != 1 << SLOTS_SHIFT) {
      throw new AssertionError("a bucket takes " + BUCKET_BYTES + " bytes");
    }
  }

  private BucketLayout() {}

  /** Packs a block's name; {@code fileNumber} stands for one segment of one file. */
  static long key(int fileNumber, long offset) {
    return ((long) fileNumber << OFFSET_BITS) | (offset & OFFSET_MASK);
  }

  static int fileNumber(long key) {
    return (int) (key >>> OFFSET_BITS);
  }

  /** Files longer than 2^40 bytes take a file number for each segment of that length. */
  static int segment(long offset) {
    return (int) (offset >>> OFFSET_BITS);
  }
}
