// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferSum;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The format of a medium that is written in regions. Numbers are big-endian; sums are CRC-32C.
 *
 * <pre>
 *   medium:   | superblock | superblock | region 0 | region 1 | …  | region n-1 | unused tail |
 *               4 KiB        4 KiB        a power of two each
 *
 *   region:   | region header | block | block | …     | block | unused | footer |
 *               4 KiB, or a granule if that is longer                    from a multiple of 4 KiB
 *
 *   block:    | header, 32 bytes | bytes              | up to a granule |     (64 bytes or more)
 *
 *   block that fills pages, in the clear:
 *             | bytes, from a multiple of 4 KiB on, of a multiple of 4 KiB | up to a granule |
 *
 *   0          8            16       20         24         28          32
 *   +----------+------------+--------+----------+----------+-----------+
 *   | key hash | stamp      | length | first    | sum of   | sum of    |
 *   |   u64    |    u64     |  u32   | granule  | the bytes| the header|
 *   |          |            |        |   u32    |   u32    | 0 … 28 u32|
 *   +----------+------------+--------+----------+----------+-----------+
 *
 *   sealed block: the same, but
 *   0          8            16       20                                32
 *   +----------+------------+--------+---------------------------------+
 *   | key hash | stamp      | length | tag of AES-GCM, 96 bits         |
 *   +----------+------------+--------+---------------------------------+
 *
 *   region header:
 *   0       8         12              16           24        32          48         56
 *   +-------+---------+---------------+------------+---------+-----------+----------+
 *   | magic | version | region number | generation | region  | instance  | sum of   |
 *   |  u64  |   u32   |      u32      |    u64     |bytes u64| 128 bits  | 0…48 u64 |
 *   +-------+---------+---------------+------------+---------+-----------+----------+
 *
 *   header of a sealed region: the same, but
 *   0       8         12                                       48         80         96
 *   +-------+---------+--------------…--------------+-----------+----------+----------+
 *   | magic | version |      as above               | instance  | salt     | tag of   |
 *   |       |    3    |                             |           | 256 bits | 0…80     |
 *   +-------+---------+--------------…--------------+-----------+----------+----------+
 * </pre>
 *
 * <ul>
 *   <li><b>key hash</b>: what the index finds the block by. It is a bijection of the key, so equal
 *       hashes are equal keys. 0: a place that no block was put in after all.
 *   <li><b>generation</b>: which filling of a region this is, of all regions together. None comes
 *       twice, so that what an earlier filling left behind is never taken for the present one's.
 *   <li><b>stamp</b>: the generation, exclusive or the last 64 bits of the instance: no other
 *       cache's block on the same medium has it.
 *   <li><b>first granule</b>: where the block was to be written; one that went astray shows it.
 *   <li><b>tag</b>: proves key hash, stamp, length, first granule and the bytes, which are
 *       encrypted: see {@link RegionCipher}. Blocks are sealed if the superblock has a wrapped key.
 *   <li><b>salt</b>: drawn when the region is opened; the key of its blocks and its footer follows
 *       from it. The header's tag proves all before it.
 *   <li><b>blocks that fill pages</b>: a block in the clear that begins with a page of 4 KiB, and
 *       whose length is a multiple of it, has no header, so that it can be read as it is. A block
 *       of such a length is given a page to begin with where at most a quarter of its length is
 *       left empty in front of it; otherwise it lies between two pages, and has a header. What
 *       proves it is the sum in the region's footer and in DRAM, which all its bytes are compared
 *       with when it is first read; that it is of the region's present generation follows from the
 *       order of writes.
 *   <li><b>empty place</b>: in front of such a block, one without a block, which has the beginning
 *       of a header: key hash 0, stamp, and a length that reaches up to the page.
 *   <li><b>superblocks</b>: see {@link Superblock}. <b>Footer</b>: see {@link RegionFooter}. A
 *       region's blocks leave room for it at its end. Media that keep nothing have neither.
 * </ul>
 *
 * <p><b>Order of writes</b>, where the medium keeps its bytes: superblock and header of the new
 * generation, flush, blocks, flush, footer. So a header that is on the medium proves that no byte
 * of a later generation is in the region, and a footer of the same generation that all blocks it
 * lists are there.
 */
public final class RegionLayout {
  /** The length of both superblocks. */
  public static final int SUPERBLOCKS_BYTES = 8 << 10;

  public static final int REGION_HEADER_BYTES = 4 << 10;
  static final int BLOCK_HEADER_BYTES = 32;

  /** What blocks fill that have no header. */
  static final int PAGE_BYTES = 4 << 10;

  /** The part of a block's length that may be left empty in front of it, so that it fills pages. */
  private static final int PARTS_LEFT_EMPTY = 4;

  /** The key hash of no block. */
  static final long NO_HASH = 0;

  /** What a block costs a footer at most: an entry, and a file of which it is the only one. */
  private static final int FOOTER_BLOCK_BYTES = RegionFooter.BLOCK_BYTES + RegionFooter.FILE_BYTES;

  private static final int FOOTER_GRANULE_BYTES = 4 << 10;

  private static final long MAGIC = 0x4e56_5265_6769_6f6eL; // "NVRegion"
  static final int VERSION = 2;

  /** The version with a salt and a tag, from which the region's key follows. */
  static final int SEALED_VERSION = 3;

  private static final int HASH_AT = 0;
  private static final int STAMP_AT = 8;
  private static final int LENGTH_AT = 16;
  private static final int GRANULE_AT = 20;
  private static final int SUM_AT = 24;
  private static final int HEADER_SUM_AT = 28;

  private static final int VERSION_AT = 8;
  private static final int REGION_AT = 12;
  private static final int REGION_GENERATION_AT = 16;
  private static final int REGION_BYTES_AT = 24;
  private static final int INSTANCE_AT = 32;
  private static final int REGION_SUM_AT = 48;

  /** The place of the salt in a sealed region's header; see {@link RegionCipher#openRegion}. */
  static final int SALT_AT = 48;

  static final int SALT_BYTES = 32;
  static final int TAG_AT = SALT_AT + SALT_BYTES;

  /** Behind these, the bytes of a region's header mean nothing. */
  static final int HEADER_USED_BYTES = TAG_AT + RegionKeys.TAG_BYTES;

  private RegionLayout() {}

  /** Returns how many regions a medium has; not possible are more than an int counts. */
  static int regions(long capacityBytes, int regionBytes) {
    long regions = (capacityBytes - SUPERBLOCKS_BYTES) / regionBytes;
    return regions == (int) regions ? (int) regions : -1;
  }

  /** Returns where on the medium a region begins. */
  public static long regionOffset(int region, int regionBytes) {
    return SUPERBLOCKS_BYTES + (long) region * regionBytes;
  }

  /** Returns where in a region its first block begins: with a granule, as all blocks do. */
  static int firstBlockAt(int granuleBytes) {
    return Math.max(REGION_HEADER_BYTES, granuleBytes);
  }

  /** Returns what a block of this length takes with its header. */
  static int spaceBytes(int lengthBytes, int granuleBytes) {
    return (BLOCK_HEADER_BYTES + lengthBytes + granuleBytes - 1) & -granuleBytes;
  }

  /**
   * Returns whether a block in the clear has no header.
   *
   * @param at where it begins: in the log, or among the regions of the medium
   */
  static boolean fillsPages(long at, int lengthBytes) {
    return ((at | lengthBytes) & (PAGE_BYTES - 1)) == 0;
  }

  /** Returns the least that a block takes that begins here: it may fill pages. */
  static int leastSpaceBytes(long at, int lengthBytes, int granuleBytes) {
    return fillsPages(at, lengthBytes)
        ? (lengthBytes + granuleBytes - 1) & -granuleBytes
        : spaceBytes(lengthBytes, granuleBytes);
  }

  /**
   * Returns where a block in the clear begins if this is the first place that is free: at the next
   * page, if it fills pages and that is near.
   */
  static long placeOf(long free, int lengthBytes) {
    long page = (free + PAGE_BYTES - 1) & -PAGE_BYTES;
    return (lengthBytes & (PAGE_BYTES - 1)) == 0 && page - free <= lengthBytes / PARTS_LEFT_EMPTY
        ? page
        : free;
  }

  /** Returns the room that a footer of so many blocks takes at a region's end. */
  static int footerBytes(int blocks) {
    int bytes = RegionFooter.HEAD_BYTES + blocks * FOOTER_BLOCK_BYTES;
    return (bytes + FOOTER_GRANULE_BYTES - 1) & -FOOTER_GRANULE_BYTES;
  }

  /** Returns what the blocks of a generation are stamped with. */
  static long stamp(UUID instance, long generation) {
    return generation ^ instance.getLeastSignificantBits();
  }

  /**
   * Writes the header of a region into a buffer.
   *
   * @param codec completes it with what proves it
   */
  static void putRegionHeader(
      ByteBuffer bytes,
      int at,
      UUID instance,
      int region,
      long generation,
      int regionBytes,
      RegionCodec codec) {
    bytes.putLong(at, MAGIC).putInt(at + REGION_AT, region);
    bytes.putInt(at + VERSION_AT, codec.version());
    bytes.putLong(at + REGION_GENERATION_AT, generation);
    bytes.putLong(at + REGION_BYTES_AT, regionBytes);
    bytes.putLong(at + INSTANCE_AT, instance.getMostSignificantBits());
    bytes.putLong(at + INSTANCE_AT + Long.BYTES, instance.getLeastSignificantBits());
    codec.openRegion(region, bytes, at);
  }

  /** Writes the sum of a region's header that is in the clear. */
  static void putRegionSum(ByteBuffer bytes, int at) {
    bytes.putLong(at + REGION_SUM_AT, FormatSum.of(bytes, at, REGION_SUM_AT));
  }

  /** Returns whether a region's header that is in the clear has its sum. */
  static boolean hasRegionSum(ByteBuffer bytes, int at) {
    return bytes.getLong(at + REGION_SUM_AT) == FormatSum.of(bytes, at, REGION_SUM_AT);
  }

  /** What a region's header was found to be. */
  public enum Header {
    VALID,
    /** A header of another cache. */
    FOREIGN,
    /** A header of this cache that is not as it was written, or not where it was written. */
    DAMAGED
  }

  /**
   * Judges the header of a region.
   *
   * @param codec is given the header, which it may need to read the region
   * @param generationLimit of the superblock; a header that is far beyond it was never written
   */
  public static Header judgeRegionHeader(
      ByteBuffer bytes,
      int at,
      UUID instance,
      int region,
      int regionBytes,
      RegionCodec codec,
      long generationLimit) {
    if (bytes.getLong(at) != MAGIC
        || bytes.getLong(at + INSTANCE_AT) != instance.getMostSignificantBits()
        || bytes.getLong(at + INSTANCE_AT + Long.BYTES) != instance.getLeastSignificantBits()) {
      return Header.FOREIGN;
    }
    long generation = bytes.getLong(at + REGION_GENERATION_AT);
    return bytes.getInt(at + VERSION_AT) == codec.version()
            && bytes.getInt(at + REGION_AT) == region
            && bytes.getLong(at + REGION_BYTES_AT) == regionBytes
            && generation >= 0
            && generation < generationLimit + Superblock.GENERATIONS_AHEAD
            && codec.adoptRegion(region, bytes, at)
        ? Header.VALID
        : Header.DAMAGED;
  }

  /** Returns the generation in the header of a region. */
  public static long regionGeneration(ByteBuffer bytes, int at) {
    return bytes.getLong(at + REGION_GENERATION_AT);
  }

  /**
   * Takes a place for a block that is yet to come, so that who walks from block to block passes.
   */
  static void putPlace(AlignedBuffer buffer, int at, long stamp, int lengthBytes) {
    ByteBuffer bytes = buffer.whole();
    bytes.putLong(at + HASH_AT, NO_HASH).putLong(at + STAMP_AT, stamp);
    bytes.putInt(at + LENGTH_AT, lengthBytes);
  }

  /** Adds where the block is to be written, to tell its place from those that had the memory. */
  static void putGranule(AlignedBuffer buffer, int at, long granule) {
    buffer.whole().putInt(at + GRANULE_AT, (int) granule);
  }

  /** Returns whether this is the place of a block that begins with this granule. */
  static boolean isPlace(AlignedBuffer buffer, int at, long stamp, long granule) {
    ByteBuffer bytes = buffer.whole();
    return bytes.getLong(at + STAMP_AT) == stamp && bytes.getInt(at + GRANULE_AT) == (int) granule;
  }

  /** Returns the key hash in the header of a block; {@link #NO_HASH} if there is none. */
  static long hash(AlignedBuffer buffer, int at) {
    return buffer.whole().getLong(at + HASH_AT);
  }

  /** Returns the length in the header of a block. */
  static int length(AlignedBuffer buffer, int at) {
    return buffer.whole().getInt(at + LENGTH_AT);
  }

  /** Returns the sum of the bytes in the header of a block. */
  static int sum(AlignedBuffer buffer, int at) {
    return buffer.whole().getInt(at + SUM_AT);
  }

  /** Writes the header of a block into a buffer. */
  static void putBlockHeader(
      AlignedBuffer buffer, int at, long hash, long stamp, int lengthBytes, long granule, int sum) {
    ByteBuffer bytes = buffer.whole();
    bytes.putLong(at + HASH_AT, hash).putLong(at + STAMP_AT, stamp);
    bytes.putInt(at + LENGTH_AT, lengthBytes).putInt(at + GRANULE_AT, (int) granule);
    bytes.putInt(at + SUM_AT, sum);
    bytes.putInt(at + HEADER_SUM_AT, BufferSum.of(bytes, at, HEADER_SUM_AT));
  }

  /** Returns what the header of a sealed block says, which its tag is to prove. */
  static ByteBuffer sealedHeader(long hash, long stamp, int lengthBytes, long granule) {
    ByteBuffer header = ByteBuffer.allocate(SUM_AT);
    header.putLong(HASH_AT, hash).putLong(STAMP_AT, stamp);
    return header.putInt(LENGTH_AT, lengthBytes).putInt(GRANULE_AT, (int) granule);
  }

  /** Returns the first granule that a sealed block's header says. */
  static int granule(ByteBuffer sealedHeader) {
    return sealedHeader.getInt(GRANULE_AT);
  }

  /** Writes the header of a sealed block into a buffer, with the tag instead of the sums. */
  static void putSealedHeader(
      AlignedBuffer buffer, int at, ByteBuffer header, ByteBuffer tag, int tagAt) {
    ByteBuffer bytes = buffer.whole();
    bytes.put(at, header, 0, GRANULE_AT);
    bytes.put(at + GRANULE_AT, tag, tagAt, BLOCK_HEADER_BYTES - GRANULE_AT);
  }

  /** Returns whether a header in a buffer is of this block, as far as it names one. */
  static boolean names(AlignedBuffer buffer, int at, long hash, long stamp) {
    ByteBuffer bytes = buffer.whole();
    return bytes.getLong(at + HASH_AT) == hash && bytes.getLong(at + STAMP_AT) == stamp;
  }

  /** Returns whether a buffer holds just this block, whole and unchanged. */
  static boolean isBlock(
      AlignedBuffer buffer, int at, long hash, long stamp, int lengthBytes, long granule) {
    ByteBuffer bytes = buffer.whole();
    return names(buffer, at, hash, stamp)
        && bytes.getInt(at + LENGTH_AT) == lengthBytes
        && bytes.getInt(at + GRANULE_AT) == (int) granule
        && bytes.getInt(at + HEADER_SUM_AT) == BufferSum.of(bytes, at, HEADER_SUM_AT)
        && bytes.getInt(at + SUM_AT) == BufferSum.of(bytes, at + BLOCK_HEADER_BYTES, lengthBytes);
  }
}
