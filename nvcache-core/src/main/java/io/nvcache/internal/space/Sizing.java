// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import io.nvcache.internal.index.BlockIndex;

/**
 * The sizes that follow from a medium and the blocks to come.
 *
 * @param cut how the medium is divided among blocks
 * @param granuleBytes the unit that places on the medium are counted in: small enough to waste
 *     little, large enough for a location's bits to number all of the medium
 * @param extentBytes a power of two: at least eight of the longest blocks, and in slabs otherwise
 *     small enough that the partly filled one of each class is a small part of the medium
 * @param capacityBytes the medium's
 * @param expectedBlockBytes the mean block
 * @param maxBlockBytes the longest block
 */
public record Sizing(
    Cut cut,
    int granuleBytes,
    int extentBytes,
    long capacityBytes,
    int expectedBlockBytes,
    int maxBlockBytes) {
  /** How a medium is divided among blocks. */
  public enum Cut {
    /** Slots of any size, each where there is room. */
    RUNS,
    /** Extents, each cut into slots for blocks of about one size. */
    SLABS,
    /** Regions, to which blocks are appended. An extent is a region. */
    REGIONS
  }

  /** Up to here a location has bits for a block's size, and extents would be few. */
  static final long MAX_RUN_BYTES = 4L << 30;

  /** The longest that regions are, if the medium does not want them shorter. */
  public static final int MAX_REGION_BYTES = 64 << 20;

  /** The granules of an extent for runs: as many as a char counts. */
  public static final int MAX_RUN_GRANULES = 1 << Character.SIZE;

  private static final int MIN_GRANULE_BYTES = 256;
  public static final int MAX_GRANULE_BYTES = 64 << 10;
  private static final int BLOCKS_PER_EXTENT = 8;
  private static final int SLAB_EXTENTS_WANTED = 1024;
  private static final int RUN_EXTENTS_WANTED = 256;
  private static final int MAX_EXTENT_BYTES = 64 << 20;
  private static final int LOCATION_BITS = 32;

  /** The bits of a location and a slack, which give a block's first granule and its length. */
  private static final int PLACE_BITS = 48;

  private static final int REGIONS_WANTED = 64;
  private static final int LEAST_REGIONS = 16;
  private static final int LONGEST_BLOCKS_PER_REGION = 4;

  /** Longest blocks that a medium in regions has room for by default. */
  private static final int LONGEST_BLOCKS_IN_REGIONS = 256;

  private static final int MAX_REGION_ALIGNMENT_BYTES = 4 << 10;
  public static final int LEAST_REGION_GRANULE_BYTES = 64;
  public static final int LEAST_REGION_BYTES = 64 << 10;

  /** Longest blocks that a medium should have room for. */
  private static final int LONGEST_BLOCKS = 64;

  private static final int USUAL_BLOCK_BYTES = 16 << 10;
  private static final int LEAST_MAX_BLOCK_BYTES = 4 << 10;
  private static final int MOST_MAX_BLOCK_BYTES = 1 << 20;

  /**
   * The part of the index that the expected blocks fill: 16 bytes a slot are then 18.8 a block, and
   * with the allocator's about 20. A fuller one would take less, and more keys would find both
   * their buckets full.
   */
  private static final double INDEX_LOAD = 0.85;

  /**
   * On a small medium the index has room for so many times the expected blocks, as long as they are
   * longer than usual ones: of a mix of short and long blocks the short ones stay, since more of
   * them bring a hit for each byte.
   */
  private static final double SHORT_BLOCKS_FOLD = 2.5;

  /**
   * Besides these, whatever the capacity: the mean of a few hundred blocks may well be under what
   * was expected. Two kilobytes.
   */
  private static final int SPARE_INDEX_SLOTS = 128;

  /**
   * Derives the sizes.
   *
   * @param expectedBlockBytes the mean block, or 0 for a usual one
   * @param maxBlockBytes the longest block, or 0 for the longest that the capacity carries well
   * @throws IllegalArgumentException if they can't be had; says what to change
   */
  public static Sizing of(
      long capacityBytes, int alignmentBytes, int expectedBlockBytes, int maxBlockBytes) {
    Cut cut = capacityBytes <= MAX_RUN_BYTES ? Cut.RUNS : Cut.SLABS;
    return of(cut, capacityBytes, alignmentBytes, expectedBlockBytes, maxBlockBytes);
  }

  /** The same, divided as wanted. */
  public static Sizing of(
      Cut cut, long capacityBytes, int alignmentBytes, int expectedBlockBytes, int maxBlockBytes) {
    int longest =
        maxBlockBytes == 0
            ? Math.max(defaultMaxBlockBytes(capacityBytes), expectedBlockBytes)
            : maxBlockBytes;
    int mean = expectedBlockBytes == 0 ? Math.min(USUAL_BLOCK_BYTES, longest) : expectedBlockBytes;
    requireMeanWithin(mean, longest);
    return derive(cut, capacityBytes, alignmentBytes, mean, longest);
  }

  private static void requireMeanWithin(int mean, int longest) {
    if (mean > longest) {
      throw new IllegalArgumentException(
          "expectedBlockBytes is "
              + mean
              + ", more than maxBlockBytes, "
              + longest
              + "; lower the first or raise the second");
    }
  }

  /**
   * Derives the sizes where blocks are appended to regions, as many as keep what is lost with each
   * of them small, and no longer than wanted.
   *
   * @param regionBytes a power of two
   * @throws IllegalArgumentException if they can't be had; says what to change
   */
  public static Sizing ofRegions(
      long capacityBytes,
      int regionBytes,
      int alignmentBytes,
      int expectedBlockBytes,
      int maxBlockBytes) {
    if (Integer.bitCount(regionBytes) != 1 || regionBytes < 0) {
      throw new IllegalArgumentException(
          "the medium's regions have " + regionBytes + " bytes; they must have a power of two");
    }
    if (alignmentBytes > MAX_REGION_ALIGNMENT_BYTES) {
      throw new IllegalArgumentException(
          "the medium's alignment is "
              + alignmentBytes
              + " bytes; in regions it is at most "
              + MAX_REGION_ALIGNMENT_BYTES
              + ": place blocks in place");
    }
    long part = capacityBytes / LONGEST_BLOCKS_IN_REGIONS;
    int usual = (int) Math.max(LEAST_MAX_BLOCK_BYTES, Math.min(MOST_MAX_BLOCK_BYTES, part));
    int longest = maxBlockBytes == 0 ? Math.max(usual, expectedBlockBytes) : maxBlockBytes;
    int mean = expectedBlockBytes == 0 ? Math.min(USUAL_BLOCK_BYTES, longest) : expectedBlockBytes;
    requireMeanWithin(mean, longest);
    long least = leastBytesInRegions(longest);
    if (capacityBytes < least) {
      throw new IllegalArgumentException(
          "the medium's capacity is "
              + capacityBytes
              + " bytes; in regions, blocks of up to "
              + longest
              + " bytes need at least "
              + least
              + ": raise the capacity, lower maxBlockBytes, or place blocks in place");
    }
    int region = (int) regionBytes(capacityBytes, regionBytes, longest);
    int granule = regionGranuleBytes(capacityBytes, longest);
    return checked(new Sizing(Cut.REGIONS, granule, region, capacityBytes, mean, longest));
  }

  /** Returns the least capacity for which blocks can be appended to regions. */
  public static long leastBytesInRegions(int longestBytes) {
    return LEAST_REGIONS
        * Math.max(LEAST_REGION_BYTES, (long) LONGEST_BLOCKS_PER_REGION * longestBytes);
  }

  /**
   * Returns the same with regions of half the length if that is what a medium was opened for, and
   * they hold two of the longest blocks; else these. What several drives hold, each in whole
   * regions, depends on the length of regions, so that the capacity alone may ask for longer ones.
   */
  public Sizing inRegionsOf(int regionBytes) {
    return 2L * regionBytes == extentBytes && 2L * maxBlockBytes <= regionBytes
        ? new Sizing(
            cut, granuleBytes, regionBytes, capacityBytes, expectedBlockBytes, maxBlockBytes)
        : this;
  }

  /**
   * Returns the length of regions that hold {@value #LONGEST_BLOCKS_PER_REGION} of the longest
   * blocks, if not more: half as many where the power of two above that would leave less than
   * {@value #LEAST_REGIONS} of them.
   */
  private static long regionBytes(long capacityBytes, int wantedBytes, int longestBytes) {
    long part = regionPartBytes(capacityBytes);
    long above = Long.highestOneBit(2L * LONGEST_BLOCKS_PER_REGION * longestBytes - 1);
    long least = capacityBytes < LEAST_REGIONS * above ? above / 2 : above;
    return Math.max(Math.max(LEAST_REGION_BYTES, least), Math.min(wantedBytes, part));
  }

  /** Returns the length of as many regions as are wanted. */
  public static long regionPartBytes(long capacityBytes) {
    return Long.highestOneBit(Math.max(1, capacityBytes / REGIONS_WANTED));
  }

  /** Returns the least granule that leaves a location and a slack enough bits for the length. */
  private static int regionGranuleBytes(long capacityBytes, int longestBytes) {
    int lengthBits =
        Math.max(Short.SIZE, Integer.SIZE - Integer.numberOfLeadingZeros(longestBytes - 1));
    int granule = LEAST_REGION_GRANULE_BYTES;
    while (capacityBytes > (long) granule << (PLACE_BITS - lengthBits)) {
      granule *= 2;
    }
    if (granule > MAX_GRANULE_BYTES) {
      throw new IllegalArgumentException(
          "the medium's capacity is "
              + capacityBytes
              + " bytes; with blocks of up to "
              + longestBytes
              + " bytes, one cache manages at most "
              + ((long) MAX_GRANULE_BYTES << (PLACE_BITS - lengthBits))
              + ": use several, or lower maxBlockBytes");
    }
    return granule;
  }

  private static Sizing derive(
      Cut cut, long capacityBytes, int alignmentBytes, int expectedBlockBytes, int maxBlockBytes) {
    if (Integer.bitCount(alignmentBytes) != 1 || alignmentBytes > MAX_GRANULE_BYTES) {
      throw new IllegalArgumentException(
          "the medium's alignment is "
              + alignmentBytes
              + " bytes; it must be a power of two, at most "
              + MAX_GRANULE_BYTES);
    }
    int granule = granuleBytes(capacityBytes, alignmentBytes);
    int extent = extentBytes(cut, capacityBytes, Math.max(maxBlockBytes, granule));
    if (cut == Cut.RUNS) {
      granule = Math.max(granule, extent / MAX_RUN_GRANULES);
    }
    long least = cut == Cut.RUNS ? (long) BLOCKS_PER_EXTENT * maxBlockBytes : extent;
    if (capacityBytes < least) {
      throw new IllegalArgumentException(
          "the medium's capacity is "
              + capacityBytes
              + " bytes; blocks of up to "
              + maxBlockBytes
              + " bytes need at least "
              + least
              + ": raise the capacity, or lower maxBlockBytes, best to "
              + defaultMaxBlockBytes(capacityBytes));
    }
    return checked(
        new Sizing(cut, granule, extent, capacityBytes, expectedBlockBytes, maxBlockBytes));
  }

  private static Sizing checked(Sizing sizing) {
    if (sizing.indexSlots() > BlockIndex.MAX_SLOTS) {
      throw new IllegalArgumentException(
          "the medium's capacity of "
              + sizing.capacityBytes
              + " bytes asks for "
              + sizing.indexSlots()
              + " index slots, and one cache has at most "
              + BlockIndex.MAX_SLOTS
              + ": raise expectedBlockBytes from "
              + sizing.expectedBlockBytes
              + ", or use several caches");
    }
    return sizing;
  }

  /**
   * Returns the longest block that a medium carries well: 1/64 of it, at least 4 KiB, at most 1
   * MiB. With longer ones, blocks that no room is found for are a large part of the medium.
   */
  public static int defaultMaxBlockBytes(long capacityBytes) {
    long part = capacityBytes / LONGEST_BLOCKS;
    return (int) Math.max(LEAST_MAX_BLOCK_BYTES, Math.min(MOST_MAX_BLOCK_BYTES, part));
  }

  /** Returns whether the medium carries its longest blocks well. */
  public boolean suitsLongestBlocks() {
    return suitsLongestBlocks(capacityBytes, maxBlockBytes);
  }

  /** Returns whether a medium carries blocks up to a length well. */
  public static boolean suitsLongestBlocks(long capacityBytes, int maxBlockBytes) {
    return capacityBytes >= (long) LONGEST_BLOCKS * maxBlockBytes
        || maxBlockBytes <= LEAST_MAX_BLOCK_BYTES;
  }

  /** Returns about how many blocks fit. */
  public long expectedBlocks() {
    return Math.max(1, capacityBytes / expectedBlockBytes);
  }

  /** Returns how many slots the index is given. */
  public long indexSlots() {
    return (long) Math.ceil(mostBlocks() / INDEX_LOAD) + SPARE_INDEX_SLOTS;
  }

  /** Returns how many blocks there may be if those that are shorter than the mean stay. */
  private double mostBlocks() {
    double usual = (double) capacityBytes / USUAL_BLOCK_BYTES;
    double expected = expectedBlocks();
    return cut == Cut.RUNS
        ? Math.max(expected, Math.min(usual, SHORT_BLOCKS_FOLD * expected))
        : expected;
  }

  private static int granuleBytes(long capacityBytes, int alignmentBytes) {
    long most = (long) MAX_GRANULE_BYTES << LOCATION_BITS;
    if (capacityBytes > most) {
      throw new IllegalArgumentException(
          "the medium's capacity is "
              + capacityBytes
              + " bytes; one cache manages at most "
              + most
              + ": use several");
    }
    long granule = Math.max(MIN_GRANULE_BYTES, alignmentBytes);
    while (capacityBytes > granule << LOCATION_BITS) {
      granule *= 2;
    }
    return (int) granule;
  }

  private static int extentBytes(Cut cut, long capacityBytes, int longestBytes) {
    int extentsWanted = cut == Cut.RUNS ? RUN_EXTENTS_WANTED : SLAB_EXTENTS_WANTED;
    long wanted = Math.min(MAX_EXTENT_BYTES, Long.highestOneBit(capacityBytes / extentsWanted));
    long least = Long.highestOneBit(2L * BLOCKS_PER_EXTENT * longestBytes - 1);
    return (int) Math.max(least, wanted);
  }
}
