// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import io.nvcache.eviction.SlotMarks;
import java.nio.ByteOrder;

/**
 * The layout of a bucket of the {@link BlockIndex}: two cache lines that processors fetch together,
 * for eight blocks, sixteen bytes each.
 *
 * <pre>
 *    0        4        8                    40           56        64
 *   +--------+--------+--------------------+------------+---------+
 *   |version |overflow| 8 x location (u32) | 8 x slack  | 8 x mark|
 *   |  u32   |  u32   |                    |   (u16)    |   (u8)  |
 *   +--------+--------+--------------------+------------+---------+
 *   64        72                                                128
 *   +---------+---------------------------------------------------+
 *   | 8 x tag | 8 x fingerprint: the other bits of the key's hash |
 *   |  (u8)   |    (56 bits)                                      |
 *   +---------+---------------------------------------------------+
 * </pre>
 *
 * <ul>
 *   <li><b>version</b>: odd while a writer is inside; grows by two with every change of a hash,
 *       location or slack. Readers check it around what they read (a seqlock).
 *   <li><b>overflow</b>: blocks whose first bucket this is and that lie in their second one, so
 *       that most misses read one bucket only.
 *   <li><b>location</b>: where the block starts on the medium, in granules.
 *   <li><b>slack</b>: bytes at the end of the block's slab slot that are not the block's; the
 *       slot's size is known by extent, so sixteen bits give the length exactly.
 *   <li><b>mark</b>: the eviction policy's byte.
 *   <li><b>tag, fingerprint</b>: the hash of the block's key, from which {@link IndexHash} makes
 *       the key again: bits 32 to 39 in the tag, the others, rotated, in the fingerprint. Both 0 in
 *       an empty slot, since file numbers start at 1. All tags are compared at once (as in "Swiss
 *       tables": M. Kulukundis, CppCon 2017), so that one fingerprint is read where eight keys
 *       would be.
 * </ul>
 *
 * <p>Tag {@code i} is the i-th byte of the eight from the lowest on, whatever the byte order; on
 * big-endian processors the fingerprints lie before the tags, so that a word read for a
 * fingerprint, which has a byte more, stays in the bucket on both.
 */
public final class BucketLayout {
  public static final int SLOTS = 8;
  static final int SLOTS_SHIFT = 3;

  static final int VERSION_OFFSET = 0;
  static final int OVERFLOW_OFFSET = VERSION_OFFSET + Integer.BYTES;
  public static final int LOCATIONS_OFFSET = OVERFLOW_OFFSET + Integer.BYTES;
  public static final int SLACKS_OFFSET = LOCATIONS_OFFSET + SLOTS * Integer.BYTES;
  static final int MARKS_OFFSET = SLACKS_OFFSET + SLOTS * Short.BYTES;
  public static final int HASHES_OFFSET = MARKS_OFFSET + SLOTS * Byte.BYTES;
  public static final int BUCKET_BYTES = HASHES_OFFSET + SLOTS * Long.BYTES;
  static final int BUCKET_SHIFT = 7;

  /** Bytes of a hash next to its tag. */
  static final int FINGERPRINT_BYTES = Long.BYTES - 1;

  public static final int TAGS_OFFSET;

  /** The place of the words whose high 56 bits are the fingerprints. */
  public static final int FINGERPRINTS_OFFSET;

  public static final int OFFSET_BITS = 40;
  public static final long OFFSET_MASK = (1L << OFFSET_BITS) - 1;
  public static final int MAX_FILE_NUMBER = (1 << (Long.SIZE - OFFSET_BITS)) - 1;
  public static final int MAX_SLACK_BYTES = 0xFFFF;

  public static final long EMPTY_KEY = 0;

  static {
    boolean littleEndian = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    TAGS_OFFSET = HASHES_OFFSET + (littleEndian ? 0 : SLOTS * FINGERPRINT_BYTES);
    FINGERPRINTS_OFFSET = HASHES_OFFSET + (littleEndian ? SLOTS * Byte.BYTES - 1 : 0);
    if (BUCKET_BYTES != 1 << BUCKET_SHIFT
        || SLOTS != 1 << SLOTS_SHIFT
        || SLOTS != SlotMarks.ROW_SLOTS) {
      throw new AssertionError("a bucket of " + SLOTS + " slots takes " + BUCKET_BYTES + " bytes");
    }
  }

  private BucketLayout() {}

  /** Packs a block's name; {@code fileNumber} means one segment of one file. */
  public static long key(int fileNumber, long offset) {
    return ((long) fileNumber << OFFSET_BITS) | (offset & OFFSET_MASK);
  }

  public static int fileNumber(long key) {
    return (int) (key >>> OFFSET_BITS);
  }

  /** Files longer than 2^40 bytes take a file number for each segment of that length. */
  public static int segment(long offset) {
    return (int) (offset >>> OFFSET_BITS);
  }

  /** Returns the offset in its file of the block with this key. */
  public static long offset(int segment, long key) {
    return (long) segment << OFFSET_BITS | (key & OFFSET_MASK);
  }
}
