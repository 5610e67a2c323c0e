// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.FileIdentity;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The end of a region, by which a cache can be restored from it. Numbers are big-endian.
 *
 * <pre>
 *   footer:  | files, 24 bytes each | blocks, 24 bytes each | zeros | head, 64 bytes |
 *              from a multiple of 4 KiB                               the region's last bytes
 *
 *   file:
 *   0                                          16       20      24
 *   +------------------------------------------+--------+-------+
 *   | identity, 128 bits                       | number | zero  |
 *   |                                          |  u32   |  u32  |
 *   +------------------------------------------+--------+-------+
 *
 *   block:
 *   0         4         12         16        17        20         24
 *   +---------+---------+----------+---------+---------+----------+
 *   | file    | offset  | first    | mark    | length  | sum of   |
 *   | u32     |   u64   | granule  | of the  | less 1  | the bytes|
 *   |         |         |   u32    |policy u8|   u24   |   u32    |
 *   +---------+---------+----------+---------+---------+----------+
 *
 *   head:
 *   0        8         12       16           24         40       44      48      56        64
 *   +--------+---------+--------+------------+----------+--------+-------+-------+---------+
 *   | magic  | version | region | generation | instance | blocks | files | zero  | sum of  |
 *   |  u64   |   u32   |  u32   |    u64     | 128 bits |  u32   |  u32  |  u64  | all u64 |
 *   +--------+---------+--------+------------+----------+--------+-------+-------+---------+
 * </pre>
 *
 * <p>Blocks are listed in the order in which they lie. Only those are listed that were in the index
 * when the footer was made, and whose files have an identity. A file is listed once, or once for
 * each 2^40 bytes that blocks are listed of, with the number that the cache gave it. The sum is of
 * all bytes of the footer before it.
 */
public final class RegionFooter {
  static final int HEAD_BYTES = 64;
  static final int FILE_BYTES = FileIdentity.BYTES + 2 * Integer.BYTES;
  static final int BLOCK_BYTES = 24;

  /** At the end of a region, what has to be read to know how long its footer is. */
  public static final int TAIL_BYTES = 4 << 10;

  private static final int VERSION = 2;
  private static final long MAGIC = 0x4e56_466f_6f74_6572L; // "NVFooter"
  private static final int MAX_LENGTH = 1 << 24;
  private static final int LENGTH_MASK = MAX_LENGTH - 1;
  private static final int LENGTH_BITS = 24;

  private static final int OFFSET_AT = 4;
  private static final int GRANULE_AT = 12;
  private static final int LENGTH_AT = 16;
  private static final int SUM_AT = 20;

  private static final int VERSION_AT = 8;
  private static final int REGION_AT = 12;
  private static final int GENERATION_AT = 16;
  private static final int INSTANCE_AT = 24;
  private static final int BLOCKS_AT = 40;
  private static final int FILES_AT = 44;
  private static final int UNUSED_AT = 48;
  private static final int HEAD_SUM_AT = 56;

  private final int region;
  private final long generation;
  private final List<ListedFile> files;
  private final ByteBuffer blocks;

  /** A file, or a segment of one, and the number that the cache gave it. */
  public record ListedFile(FileIdentity identity, int number) {
    /** By hand: the JDK keeps the last class for which it made this, and so its class loader. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ListedFile that
          && number == that.number
          && identity.equals(that.identity);
    }

    @Override
    public int hashCode() {
      return 31 * identity.hashCode() + number;
    }
  }

  private RegionFooter(int region, long generation, List<ListedFile> files, ByteBuffer blocks) {
    this.region = region;
    this.generation = generation;
    this.files = files;
    this.blocks = blocks;
  }

  /** Returns the region's number. */
  public int region() {
    return region;
  }

  /** Returns the generation of the region that this describes. */
  public long generation() {
    return generation;
  }

  /** Returns the files that the blocks are of. */
  public List<ListedFile> files() {
    return files;
  }

  /** Returns how many blocks are listed. */
  public int blocks() {
    return blocks.limit() / BLOCK_BYTES;
  }

  /** Returns the place in {@link #files} of a block's file. */
  public int file(int block) {
    return blocks.getInt(block * BLOCK_BYTES);
  }

  /** Returns where in its file a block begins. */
  public long offset(int block) {
    return blocks.getLong(block * BLOCK_BYTES + OFFSET_AT);
  }

  /** Returns where on the medium, behind the superblocks, the block begins. */
  public long granule(int block) {
    return Integer.toUnsignedLong(blocks.getInt(block * BLOCK_BYTES + GRANULE_AT));
  }

  /** Returns how long a block is, without its header. */
  public int lengthBytes(int block) {
    return (blocks.getInt(block * BLOCK_BYTES + LENGTH_AT) & LENGTH_MASK) + 1;
  }

  /** Returns the eviction policy's mark of a block when the footer was made. */
  public int mark(int block) {
    return blocks.getInt(block * BLOCK_BYTES + LENGTH_AT) >>> LENGTH_BITS;
  }

  /** Returns the CRC-32C of a block's bytes, which its header has as well, if it has one. */
  public int sum(int block) {
    return blocks.getInt(block * BLOCK_BYTES + SUM_AT);
  }

  /** The files of a footer, made as they are asked for: a footer may list hundred thousands. */
  private static final class Files extends AbstractList<ListedFile> implements RandomAccess {
    private final ByteBuffer bytes;

    Files(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    @Override
    public ListedFile get(int i) {
      int at = Objects.checkIndex(i, size()) * FILE_BYTES;
      return new ListedFile(
          new FileIdentity(bytes.getLong(at), bytes.getLong(at + Long.BYTES)),
          bytes.getInt(at + FileIdentity.BYTES));
    }

    @Override
    public int size() {
      return bytes.limit() / FILE_BYTES;
    }
  }

  /** Puts a footer together. */
  public static final class Builder {
    private final int roomBytes;
    private final Map<ListedFile, Integer> places = new HashMap<>();
    private final List<ListedFile> files = new ArrayList<>();
    private ByteBuffer blocks = ByteBuffer.allocate(1 << 10);

    /** Begins a footer with as much room as the blocks of the region left. */
    public Builder(int roomBytes) {
      this.roomBytes = roomBytes;
    }

    /** Lists a block; false if there is no room, or no length for it. */
    public boolean add(
        ListedFile file, long offset, long granule, int lengthBytes, int mark, int sum) {
      Integer place = places.get(file);
      int more = BLOCK_BYTES + (place == null ? FILE_BYTES : 0);
      if (bytes() + more > roomBytes || lengthBytes > MAX_LENGTH) {
        return false;
      }
      if (blocks.remaining() < BLOCK_BYTES) {
        blocks = ByteBuffer.allocate(2 * blocks.capacity()).put(blocks.flip());
      }
      if (place == null) {
        place = files.size();
        places.put(file, place);
        files.add(file);
      }
      blocks.putInt(place).putLong(offset).putInt((int) granule);
      blocks.putInt(mark << LENGTH_BITS | (lengthBytes - 1)).putInt(sum);
      return true;
    }

    private int bytes() {
      return HEAD_BYTES + files.size() * FILE_BYTES + blocks.position();
    }

    int blocks() {
      return blocks.position() / BLOCK_BYTES;
    }

    /** Returns the footer, which belongs at the very end of its region. */
    public ByteBuffer build(UUID instance, int region, long generation) {
      int length = footerBytes(files.size(), blocks());
      ByteBuffer footer = ByteBuffer.allocate(length);
      for (ListedFile file : files) {
        footer.putLong(file.identity.high()).putLong(file.identity.low());
        footer.putInt(file.number).putInt(0);
      }
      footer.put(blocks.duplicate().flip());
      int head = length - HEAD_BYTES;
      footer.putLong(head, MAGIC).putInt(head + VERSION_AT, VERSION);
      footer.putInt(head + REGION_AT, region).putLong(head + GENERATION_AT, generation);
      footer.putLong(head + INSTANCE_AT, instance.getMostSignificantBits());
      footer.putLong(head + INSTANCE_AT + Long.BYTES, instance.getLeastSignificantBits());
      footer.putInt(head + BLOCKS_AT, blocks()).putInt(head + FILES_AT, files.size());
      footer.putLong(head + HEAD_SUM_AT, FormatSum.of(footer, 0, head + HEAD_SUM_AT));
      return footer.clear();
    }
  }

  private static int footerBytes(int files, int blocks) {
    int bytes = HEAD_BYTES + files * FILE_BYTES + blocks * BLOCK_BYTES;
    return (bytes + TAIL_BYTES - 1) & -TAIL_BYTES;
  }

  /**
   * What the last bytes of a region say, not believed yet.
   *
   * @param footerBytes how long the footer is; 0 if there is none of this cache
   */
  public record Tail(int footerBytes, long generation) {
    /** The tail of a region without a footer of this cache. */
    static final Tail NONE = new Tail(0, -1);
  }

  /** Reads the end of a buffer that ends with a region's last bytes. */
  public static Tail tail(ByteBuffer bytes, int end, UUID instance, Superblock.Geometry geometry) {
    int head = end - HEAD_BYTES;
    int blocks = bytes.getInt(head + BLOCKS_AT);
    int files = bytes.getInt(head + FILES_AT);
    boolean ours =
        bytes.getLong(head) == MAGIC
            && bytes.getInt(head + VERSION_AT) == VERSION
            && bytes.getLong(head + INSTANCE_AT) == instance.getMostSignificantBits()
            && bytes.getLong(head + INSTANCE_AT + Long.BYTES) == instance.getLeastSignificantBits()
            && files >= 0
            && files <= blocks
            && fits(blocks, files, geometry);
    return ours
        ? new Tail(footerBytes(files, blocks), bytes.getLong(head + GENERATION_AT))
        : Tail.NONE;
  }

  /** Returns whether a region has room for so many blocks, a granule each, and their footer. */
  private static boolean fits(int blocks, int files, Superblock.Geometry geometry) {
    int room = geometry.regionBytes() - RegionLayout.REGION_HEADER_BYTES;
    return blocks <= room / geometry.granuleBytes()
        && footerBytes(files, blocks) <= room - (long) blocks * geometry.granuleBytes();
  }

  /** Writes the sum of a footer where its tag was. */
  static void putSum(ByteBuffer footer) {
    int head = footer.limit() - HEAD_BYTES;
    footer.putLong(head + UNUSED_AT, 0);
    footer.putLong(head + HEAD_SUM_AT, FormatSum.of(footer, 0, head + HEAD_SUM_AT));
  }

  /**
   * Reads a footer, and believes nothing of it that can't be so.
   *
   * @param footer all of it, from its first byte on
   * @return null if it is damaged, or not of this region and generation
   */
  public static @Nullable RegionFooter decode(
      ByteBuffer footer, UUID instance, int region, long generation, Superblock.Geometry geometry) {
    int head = footer.limit() - HEAD_BYTES;
    Tail tail = tail(footer, footer.limit(), instance, geometry);
    if (tail.footerBytes != footer.limit()
        || tail.generation != generation
        || footer.getInt(head + REGION_AT) != region
        || footer.getLong(head + HEAD_SUM_AT) != FormatSum.of(footer, 0, head + HEAD_SUM_AT)) {
      return null;
    }
    int fileCount = footer.getInt(head + FILES_AT);
    int blocksAt = fileCount * FILE_BYTES;
    int blocksBytes = footer.getInt(head + BLOCKS_AT) * BLOCK_BYTES;
    RegionFooter read =
        new RegionFooter(
            region,
            generation,
            new Files(footer.slice(0, blocksAt)),
            footer.slice(blocksAt, blocksBytes));
    return read.isPossible(geometry, footer.limit()) ? read : null;
  }

  /** Returns whether all blocks lie in the region, apart, between its header and the footer. */
  private boolean isPossible(Superblock.Geometry geometry, int footerBytes) {
    long first = (long) region * geometry.regionBytes();
    long end = first + RegionLayout.firstBlockAt(geometry.granuleBytes());
    for (int i = 0; i < blocks(); i++) {
      long at = granule(i) * geometry.granuleBytes();
      if (Integer.compareUnsigned(file(i), files.size()) >= 0 || offset(i) < 0 || at < end) {
        return false;
      }
      end = at + RegionLayout.leastSpaceBytes(at, lengthBytes(i), geometry.granuleBytes());
    }
    return end <= first + geometry.regionBytes() - footerBytes;
  }
}
