// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferSum;
import java.nio.ByteBuffer;

/**
 * The format of a medium that is written in regions. Numbers are big-endian; sums are CRC-32C.
 *
 * <pre>
 *   medium:   | superblock | superblock | region 0 | region 1 | …  | region n-1 | unused tail |
 *               4 KiB        4 KiB        a power of two each
 *
 *   region:   | region header | block | block | …     | block | unused | footer |
 *               4 KiB                                                    from a multiple of 4 KiB
 *
 *   block:    | header, 32 bytes | bytes              | up to a granule |     (64 bytes or more)
 *
 *   0          8            16       20         24         28          32
 *   +----------+------------+--------+----------+----------+-----------+
 *   | key hash | generation | length | first    | sum of   | sum of    |
 *   |   u64    |    u64     |  u32   | granule  | the bytes| the header|
 *   |          |            |        |   u32    |   u32    | 0 … 28 u32|
 *   +----------+------------+--------+----------+----------+-----------+
 *
 *   region header:
 *   0       8         12              16           24        32
 *   +-------+---------+---------------+------------+---------+-----------+
 *   | magic | version | region number | generation | region  | sum of    |
 *   |  u64  |   u32   |      u32      |    u64     | bytes   | 0 … 32 u32|
 *   +-------+---------+---------------+------------+---------+-----------+
 * </pre>
 *
 * <ul>
 *   <li><b>key hash</b>: what the index finds the block by. It is a bijection of the key, so equal
 *       hashes are equal keys.
 *   <li><b>generation</b>: which filling of a region this is, of all regions together. None comes
 *       twice, so that what an earlier filling left behind is never taken for the present one's.
 *   <li><b>first granule</b>: where the block was to be written; one that went astray shows it.
 *   <li><b>superblocks, footer</b>: room that nothing is written to yet. A region's blocks leave 32
 *       bytes for each of them at its end, where a footer can list them, so that a cache can be
 *       restored without another change of the format.
 * </ul>
 */
final class RegionLayout {
  /** Of both superblocks. */
  static final int SUPERBLOCKS_BYTES = 8 << 10;

  static final int REGION_HEADER_BYTES = 4 << 10;
  static final int BLOCK_HEADER_BYTES = 32;

  private static final int FOOTER_HEAD_BYTES = 64;
  private static final int FOOTER_ENTRY_BYTES = 32;
  private static final int FOOTER_GRANULE_BYTES = 4 << 10;

  private static final long MAGIC = 0x4e56_5265_6769_6f6eL; // "NVRegion"
  private static final int VERSION = 1;

  private static final int HASH_AT = 0;
  private static final int GENERATION_AT = 8;
  private static final int LENGTH_AT = 16;
  private static final int GRANULE_AT = 20;
  private static final int SUM_AT = 24;
  private static final int HEADER_SUM_AT = 28;

  private static final int VERSION_AT = 8;
  private static final int REGION_AT = 12;
  private static final int REGION_GENERATION_AT = 16;
  private static final int REGION_BYTES_AT = 24;
  private static final int REGION_SUM_AT = 32;

  private RegionLayout() {}

  /** Returns the room that a footer of so many blocks takes at a region's end. */
  static int footerBytes(int blocks) {
    int bytes = FOOTER_HEAD_BYTES + blocks * FOOTER_ENTRY_BYTES;
    return (bytes + FOOTER_GRANULE_BYTES - 1) & -FOOTER_GRANULE_BYTES;
  }

  /** Writes the header of a region into a buffer. */
  static void putRegionHeader(
      AlignedBuffer buffer, int at, int region, long generation, int regionBytes) {
    ByteBuffer bytes = buffer.whole();
    bytes.putLong(at, MAGIC).putInt(at + VERSION_AT, VERSION).putInt(at + REGION_AT, region);
    bytes.putLong(at + REGION_GENERATION_AT, generation);
    bytes.putLong(at + REGION_BYTES_AT, regionBytes);
    bytes.putInt(at + REGION_SUM_AT, BufferSum.of(bytes, at, REGION_SUM_AT));
  }

  /** Writes the header of a block into a buffer. */
  static void putBlockHeader(
      AlignedBuffer buffer,
      int at,
      long hash,
      long generation,
      int lengthBytes,
      long granule,
      int sum) {
    ByteBuffer bytes = buffer.whole();
    bytes.putLong(at + HASH_AT, hash).putLong(at + GENERATION_AT, generation);
    bytes.putInt(at + LENGTH_AT, lengthBytes).putInt(at + GRANULE_AT, (int) granule);
    bytes.putInt(at + SUM_AT, sum);
    bytes.putInt(at + HEADER_SUM_AT, BufferSum.of(bytes, at, HEADER_SUM_AT));
  }

  /** Returns whether a header in a buffer is of this block, as far as it names one. */
  static boolean names(AlignedBuffer buffer, int at, long hash, long generation) {
    ByteBuffer bytes = buffer.whole();
    return bytes.getLong(at + HASH_AT) == hash && bytes.getLong(at + GENERATION_AT) == generation;
  }

  /** Returns whether a buffer holds just this block, whole and unchanged. */
  static boolean isBlock(
      AlignedBuffer buffer, int at, long hash, long generation, int lengthBytes, long granule) {
    ByteBuffer bytes = buffer.whole();
    return names(buffer, at, hash, generation)
        && bytes.getInt(at + LENGTH_AT) == lengthBytes
        && bytes.getInt(at + GRANULE_AT) == (int) granule
        && bytes.getInt(at + HEADER_SUM_AT) == BufferSum.of(bytes, at, HEADER_SUM_AT)
        && bytes.getInt(at + SUM_AT) == BufferSum.of(bytes, at + BLOCK_HEADER_BYTES, lengthBytes);
  }
}
