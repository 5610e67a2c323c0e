// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.FileIdentity;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.KeySource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The description of a medium that is written in regions. Numbers are big-endian.
 *
 * <pre>
 *   0        8         12      16            32         40            48
 *   +--------+---------+-------+-------------+----------+-------------+
 *   | magic  | version | flags | instance    | sequence | generation  |
 *   |  u64   |   u32   |  u32  |  128 bits   |   u64    | limit   u64 |
 *   +--------+---------+-------+-------------+----------+-------------+
 *   48        56         64       68        72          76            80
 *   +---------+----------+--------+---------+-----------+-------------+
 *   | hash    | capacity | region | granule | alignment | next file   |
 *   | seed u64| bytes u64| b. u32 | b. u32  | bytes u32 | number  u32 |
 *   +---------+----------+--------+---------+-----------+-------------+
 *   80          88           96                224     228       232
 *   +-----------+------------+-----------------+-------+---------+
 *   | time, ms  | day's spare| wrapped key,    | free  | revoked |
 *   | since 1970| bytes, or  | 128 bytes, zero | count | count   |
 *   |   s64     | -1     s64 | without one     |  u32  |   u32   |
 *   +-----------+------------+-----------------+-------+---------+
 *   232       240                496                      4072       4088       4096
 *   +---------+------------------+--------------------------+----------+----------+
 *   | floor   | 64 x free region | 149 x {identity 128 bits,| tag, or  | sum of   |
 *   |   u64   |      u32         |   generation u64}        | zeros    | 0 … 4088 |
 *   +---------+------------------+--------------------------+----------+----------+
 * </pre>
 *
 * <ul>
 *   <li><b>flags</b>: bit 0 says that the cache was closed, and nothing was written since.
 *   <li><b>instance</b>: drawn at each cold start. Region headers and footers have it, and the
 *       stamps of blocks are made with it, so that what another cache left is never taken for this
 *       one's.
 *   <li><b>sequence</b>: of the two copies the valid one with the higher number counts. They are
 *       written in turn, and the medium is flushed between. Revoked files and the floor are in both
 *       before an invalidation returns, so that either copy is enough.
 *   <li><b>generation limit</b>: no region was ever given this generation or a higher one. The next
 *       cache begins with it.
 *   <li><b>hash seed</b>: of the index, whose hashes are in the headers of blocks.
 *   <li><b>next file number</b>: the numbers below it were given to files, which get them again.
 *   <li><b>day's spare bytes</b>: what the write limit of a day left at that time, so that restarts
 *       don't reset it; -1 without a limit.
 *   <li><b>wrapped key</b>: a u16 of its length, and the key of blocks and footers as a {@link
 *       io.nvcache.medium.KeySource} wrapped it. With a key the version is 4, and 5 without: a
 *       cache that knows of no keys must not take sealed bytes for the blocks. Version 3 sealed all
 *       regions under one key, with nonces that followed from the medium. In version 2, which was
 *       in the clear, blocks that fill pages had headers.
 *   <li><b>tag</b>: with a key, proves all before it; see {@link RegionKeys}.
 *   <li><b>free regions</b>: whose blocks had all left when this was written. Their footers mean
 *       nothing, unless they were filled again since, which their generation shows.
 *   <li><b>revoked</b>: identities of files that a block was invalidated of. Regions up to the
 *       generation next to it must not bring them back.
 *   <li><b>floor</b>: regions of a lower generation must not be restored at all: there were more
 *       revoked files than find room.
 * </ul>
 *
 * @param clean whether the cache was closed
 * @param wrappedKey empty if blocks and footers are not sealed
 * @param freeRegions at most {@link #MAX_FREE}
 * @param revoked at most {@link #MAX_REVOKED}
 */
public record Superblock(
    boolean clean,
    UUID instance,
    long sequence,
    long generationLimit,
    long hashSeed,
    Geometry geometry,
    int nextFileNumber,
    long millis,
    long daySpareBytes,
    long floor,
    ByteBuffer wrappedKey,
    List<Integer> freeRegions,
    List<Revoked> revoked) {
  /** The length of a copy. */
  public static final int BYTES = 4 << 10;

  /** How far the limit lies beyond the generation in use. */
  public static final long GENERATIONS_AHEAD = 1 << 10;

  /** Free regions that find room. */
  public static final int MAX_FREE = 64;

  /** Revoked files that find room. */
  public static final int MAX_REVOKED = 149;

  static final int VERSION = 5;

  static final int SEALED_VERSION = 4;

  /** Its regions share one key. They are not read. */
  private static final int SHARED_KEY_VERSION = 3;

  /** All of its blocks have headers. They are not read. */
  private static final int HEADERS_VERSION = 2;

  /** No cache writes as many superblocks. One with such a number is not believed. */
  private static final long SEQUENCE_LIMIT = 1L << 62;

  /** Positions in the log are below: a generation times the length of a region. */
  private static final long POSITION_LIMIT = 1L << 62;

  private static final long MAGIC = 0x4e56_5375_7065_7262L; // "NVSuperb"
  private static final int CLEAN = 1;
  private static final int VERSION_AT = 8;
  private static final int FLAGS_AT = 12;
  private static final int INSTANCE_AT = 16;
  private static final int SEQUENCE_AT = 32;
  private static final int LIMIT_AT = 40;
  private static final int SEED_AT = 48;
  private static final int CAPACITY_AT = 56;
  private static final int REGION_AT = 64;
  private static final int GRANULE_AT = 68;
  private static final int ALIGNMENT_AT = 72;
  private static final int NUMBER_AT = 76;
  private static final int MILLIS_AT = 80;
  private static final int SPARE_AT = 88;
  private static final int WRAPPED_AT = 96;
  private static final int FREE_COUNT_AT = 224;
  private static final int REVOKED_COUNT_AT = 228;
  private static final int FLOOR_AT = 232;
  private static final int FREE_AT = 240;
  private static final int REVOKED_AT = 496;
  private static final int REVOKED_BYTES = FileIdentity.BYTES + Long.BYTES;
  private static final int SUM_AT = BYTES - Long.BYTES;
  private static final int TAG_AT = SUM_AT - RegionKeys.TAG_BYTES;

  /** Copies the lists. */
  public Superblock {
    freeRegions = List.copyOf(freeRegions);
    revoked = List.copyOf(revoked);
  }

  /** How the medium is divided. */
  public record Geometry(
      long capacityBytes, int regionBytes, int granuleBytes, int alignmentBytes) {
    public static Geometry of(Sizing sizing, int alignmentBytes) {
      return new Geometry(
          sizing.capacityBytes(), sizing.extentBytes(), sizing.granuleBytes(), alignmentBytes);
    }

    /** By hand: the JDK keeps the last class for which it made this, and so its class loader. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Geometry that
          && capacityBytes == that.capacityBytes
          && regionBytes == that.regionBytes
          && granuleBytes == that.granuleBytes
          && alignmentBytes == that.alignmentBytes;
    }

    @Override
    public int hashCode() {
      return Objects.hash(capacityBytes, regionBytes, granuleBytes, alignmentBytes);
    }

    /** Returns whether a medium can be divided like this. */
    boolean isPossible() {
      return isPowerOfTwo(regionBytes)
          && isPowerOfTwo(granuleBytes)
          && isPowerOfTwo(alignmentBytes)
          && regionBytes >= Sizing.LEAST_REGION_BYTES
          && granuleBytes >= Sizing.LEAST_REGION_GRANULE_BYTES
          && granuleBytes <= Sizing.MAX_GRANULE_BYTES
          && capacityBytes <= (long) granuleBytes << Integer.SIZE // All that a location numbers.
          && regions() > 0;
    }

    /**
     * Returns why a file or device of so many bytes is not divided like this; empty if it may be.
     */
    public String faultOfFlash(long lengthBytes) {
      boolean fits =
          capacityBytes <= lengthBytes
              && regionBytes
                  >= Math.min(Sizing.MAX_REGION_BYTES, Sizing.regionPartBytes(capacityBytes));
      return fits ? "" : "it can't be divided as its superblock says: " + this;
    }

    private static boolean isPowerOfTwo(int number) {
      return number > 0 && Integer.bitCount(number) == 1;
    }

    /** Returns how many regions there are. */
    public int regions() {
      return RegionLayout.regions(capacityBytes, regionBytes);
    }

    @Override
    public String toString() {
      return capacityBytes
          + " bytes in regions of "
          + regionBytes
          + ", granules of "
          + granuleBytes
          + ", aligned to "
          + alignmentBytes;
    }
  }

  /** A file that regions up to a generation must not bring back. */
  public record Revoked(FileIdentity identity, long generation) {}

  /**
   * Returns the bytes of a copy.
   *
   * @param codec proves them, if they are sealed
   */
  public ByteBuffer encoded(RegionCodec codec) {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    int wrappedBytes = wrappedKey.remaining();
    bytes.putLong(0, MAGIC).putInt(VERSION_AT, wrappedBytes == 0 ? VERSION : SEALED_VERSION);
    bytes.putInt(FLAGS_AT, clean ? CLEAN : 0);
    bytes.putShort(WRAPPED_AT, (short) wrappedBytes);
    bytes.put(WRAPPED_AT + Short.BYTES, wrappedKey, wrappedKey.position(), wrappedBytes);
    bytes.putLong(INSTANCE_AT, instance.getMostSignificantBits());
    bytes.putLong(INSTANCE_AT + Long.BYTES, instance.getLeastSignificantBits());
    bytes.putLong(SEQUENCE_AT, sequence).putLong(LIMIT_AT, generationLimit);
    bytes.putLong(SEED_AT, hashSeed).putLong(CAPACITY_AT, geometry.capacityBytes);
    bytes.putInt(REGION_AT, geometry.regionBytes).putInt(GRANULE_AT, geometry.granuleBytes);
    bytes.putInt(ALIGNMENT_AT, geometry.alignmentBytes).putInt(NUMBER_AT, nextFileNumber);
    bytes.putLong(MILLIS_AT, millis).putLong(SPARE_AT, daySpareBytes);
    bytes.putInt(FREE_COUNT_AT, freeRegions.size());
    bytes.putInt(REVOKED_COUNT_AT, revoked.size()).putLong(FLOOR_AT, floor);
    for (int i = 0; i < freeRegions.size(); i++) {
      bytes.putInt(FREE_AT + i * Integer.BYTES, freeRegions.get(i));
    }
    for (int i = 0; i < revoked.size(); i++) {
      int at = REVOKED_AT + i * REVOKED_BYTES;
      bytes.putLong(at, revoked.get(i).identity.high());
      bytes.putLong(at + Long.BYTES, revoked.get(i).identity.low());
      bytes.putLong(at + FileIdentity.BYTES, revoked.get(i).generation);
    }
    codec.putTag(bytes, 0, TAG_AT);
    return bytes.putLong(SUM_AT, FormatSum.of(bytes, 0, SUM_AT));
  }

  /** Returns whether a copy in a buffer was written under this key. */
  public static boolean isProven(ByteBuffer bytes, int at, RegionCipher cipher) {
    return cipher.hasTag(bytes, at, TAG_AT);
  }

  /** What a copy was found to be: valid, or why not. */
  public record Read(@Nullable Superblock superblock, String fault) {
    private static Read fault(String fault) {
      return new Read(null, fault);
    }
  }

  /** Reads a copy from a buffer, and believes nothing of it that no cache can have written. */
  public static Read decode(ByteBuffer bytes, int at) {
    if (bytes.getLong(at) != MAGIC) {
      return Read.fault("it has no superblock of a cache");
    }
    int version = bytes.getInt(at + VERSION_AT);
    if (version == SHARED_KEY_VERSION) {
      return Read.fault(
          "its format is version 3, encrypted under one key for all regions, which is not read"
              + " any more; what is written now is version "
              + SEALED_VERSION);
    }
    if (version == HEADERS_VERSION) {
      return Read.fault(
          "its format is version 2, with a header next to each block, which is not read any more;"
              + " what is written now is version "
              + VERSION);
    }
    if (version != VERSION && version != SEALED_VERSION) {
      return Read.fault(
          "its format is version "
              + version
              + ", and this one reads "
              + VERSION
              + " and "
              + SEALED_VERSION);
    }
    int wrappedBytes = version == VERSION ? 0 : bytes.getShort(at + WRAPPED_AT);
    int free = bytes.getInt(at + FREE_COUNT_AT);
    int revoked = bytes.getInt(at + REVOKED_COUNT_AT);
    if (bytes.getLong(at + SUM_AT) != FormatSum.of(bytes, at, SUM_AT)
        || Integer.compareUnsigned(free, MAX_FREE) > 0
        || Integer.compareUnsigned(revoked, MAX_REVOKED) > 0
        || (wrappedBytes > 0) != (version == SEALED_VERSION)
        || wrappedBytes > KeySource.MAX_WRAPPED_BYTES) {
      return Read.fault("its superblock is damaged");
    }
    Superblock read = read(bytes, at, wrappedBytes, free, revoked);
    return read.isPossible()
        ? new Read(read, "")
        : Read.fault("its superblock says what no cache can have written");
  }

  private static Superblock read(
      ByteBuffer bytes, int at, int wrappedBytes, int free, int revoked) {
    List<Integer> freeRegions = new ArrayList<>();
    for (int i = 0; i < free; i++) {
      freeRegions.add(bytes.getInt(at + FREE_AT + i * Integer.BYTES));
    }
    List<Revoked> revokedFiles = new ArrayList<>();
    for (int i = 0; i < revoked; i++) {
      revokedFiles.add(revoked(bytes, at + REVOKED_AT + i * REVOKED_BYTES));
    }
    return new Superblock(
        (bytes.getInt(at + FLAGS_AT) & CLEAN) != 0,
        new UUID(bytes.getLong(at + INSTANCE_AT), bytes.getLong(at + INSTANCE_AT + Long.BYTES)),
        bytes.getLong(at + SEQUENCE_AT),
        bytes.getLong(at + LIMIT_AT),
        bytes.getLong(at + SEED_AT),
        new Geometry(
            bytes.getLong(at + CAPACITY_AT),
            bytes.getInt(at + REGION_AT),
            bytes.getInt(at + GRANULE_AT),
            bytes.getInt(at + ALIGNMENT_AT)),
        bytes.getInt(at + NUMBER_AT),
        bytes.getLong(at + MILLIS_AT),
        bytes.getLong(at + SPARE_AT),
        bytes.getLong(at + FLOOR_AT),
        copy(bytes, at + WRAPPED_AT + Short.BYTES, wrappedBytes),
        freeRegions,
        revokedFiles);
  }

  /**
   * Returns whether a cache can have written these numbers, which the next one reckons with. Free
   * regions are looked up only.
   */
  private boolean isPossible() {
    return geometry.isPossible()
        && sequence > 0
        && sequence < SEQUENCE_LIMIT
        && generationLimit >= 0
        && generationLimit < POSITION_LIMIT / geometry.regionBytes
        && floor >= 0
        && floor <= generationLimit
        && nextFileNumber > 0
        && nextFileNumber <= BucketLayout.MAX_FILE_NUMBER + 1
        && millis >= 0
        && daySpareBytes >= -1
        && revoked.stream()
            .allMatch(file -> file.generation >= -1 && file.generation < generationLimit);
  }

  /**
   * Returns whether a cache can continue from these numbers. They have so much room that no honest
   * ones use it up; of others, the next cache would write what is not {@link #isPossible}.
   */
  public boolean hasRoom() {
    return sequence < SEQUENCE_LIMIT / 2
        && generationLimit < POSITION_LIMIT / 2 / geometry.regionBytes;
  }

  private static ByteBuffer copy(ByteBuffer bytes, int at, int length) {
    return ByteBuffer.allocate(length).put(0, bytes, at, length).asReadOnlyBuffer();
  }

  private static Revoked revoked(ByteBuffer bytes, int at) {
    return new Revoked(
        new FileIdentity(bytes.getLong(at), bytes.getLong(at + Long.BYTES)),
        bytes.getLong(at + FileIdentity.BYTES));
  }

  /** Returns the same as a later one, with these revoked files. */
  public Superblock revoking(long laterSequence, long itsFloor, List<Revoked> files) {
    return new Superblock(
        clean,
        instance,
        laterSequence,
        generationLimit,
        hashSeed,
        geometry,
        nextFileNumber,
        millis,
        daySpareBytes,
        itsFloor,
        wrappedKey,
        freeRegions,
        files);
  }

  /** Returns the same as the next one. */
  public Superblock next() {
    return revoking(sequence + 1, floor, revoked);
  }

  /** Returns whether blocks and footers are sealed. */
  public boolean isSealed() {
    return wrappedKey.hasRemaining();
  }

  /** Returns the revoked files, each with the generation up to which it must not come back. */
  public Map<FileIdentity, Long> revokedGenerations() {
    Map<FileIdentity, Long> generations = new HashMap<>();
    revoked.forEach(file -> generations.merge(file.identity, file.generation, Math::max));
    return generations;
  }

  /** Returns the generation of the newest region when this was written. */
  public long headGeneration() {
    return generationLimit - GENERATIONS_AHEAD;
  }
}
