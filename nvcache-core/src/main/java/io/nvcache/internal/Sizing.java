// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

/**
 * The sizes that follow from a medium and the blocks to come.
 *
 * @param granuleBytes the unit that places on the medium are counted in: small enough to waste
 *     little, large enough for 32 bits to number all of the medium
 * @param extentBytes what is cut for one size class: at least eight of the longest blocks, and
 *     otherwise small enough that the partly filled one of each class is a small part of the medium
 * @param extents how many there are
 * @param expectedBlocks about how many blocks fit
 */
public record Sizing(int granuleBytes, int extentBytes, int extents, long expectedBlocks) {
  private static final int MIN_GRANULE_BYTES = 256;
  private static final int MAX_GRANULE_BYTES = 64 << 10;
  private static final int BLOCKS_PER_EXTENT = 8;
  private static final int EXTENTS_WANTED = 1024;
  private static final int MAX_EXTENT_BYTES = 64 << 20;
  private static final int LOCATION_BITS = 32;

  /**
   * The part of the index that the expected blocks fill: 16 bytes a slot are then 18.8 a block, and
   * with the allocator's less than 20. A fuller one would take less, and more keys would find both
   * their buckets full.
   */
  private static final double INDEX_LOAD = 0.85;

  /**
   * Derives the sizes.
   *
   * @throws IllegalArgumentException if they can't be had; says what to change
   */
  public static Sizing of(
      long capacityBytes, int alignmentBytes, int expectedBlockBytes, int maxBlockBytes) {
    if (Integer.bitCount(alignmentBytes) != 1 || alignmentBytes > MAX_GRANULE_BYTES) {
      throw new IllegalArgumentException(
          "the medium's alignment is "
              + alignmentBytes
              + " bytes; it must be a power of two, at most "
              + MAX_GRANULE_BYTES);
    }
    int granule = granuleBytes(capacityBytes, alignmentBytes);
    int extent = extentBytes(capacityBytes, granule, maxBlockBytes);
    if (capacityBytes < extent) {
      throw new IllegalArgumentException(
          "the medium's capacity is "
              + capacityBytes
              + " bytes; it must hold at least one extent of "
              + extent
              + " bytes: raise the capacity, or lower maxBlockBytes from "
              + maxBlockBytes);
    }
    long expectedBlocks = Math.max(1, capacityBytes / expectedBlockBytes);
    Sizing sizing = new Sizing(granule, extent, (int) (capacityBytes / extent), expectedBlocks);
    if (sizing.indexSlots() > BlockIndex.MAX_SLOTS) {
      throw new IllegalArgumentException(
          "the medium's capacity of "
              + capacityBytes
              + " bytes asks for "
              + sizing.indexSlots()
              + " index slots, and one cache has at most "
              + BlockIndex.MAX_SLOTS
              + ": raise expectedBlockBytes from "
              + expectedBlockBytes
              + ", or use several caches");
    }
    return sizing;
  }

  /** How many slots the index is given. */
  long indexSlots() {
    return (long) Math.ceil(expectedBlocks / INDEX_LOAD);
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

  private static int extentBytes(long capacityBytes, int granuleBytes, int maxBlockBytes) {
    long wanted = Math.min(MAX_EXTENT_BYTES, Long.highestOneBit(capacityBytes / EXTENTS_WANTED));
    long least =
        Long.highestOneBit(2L * BLOCKS_PER_EXTENT * Math.max(maxBlockBytes, granuleBytes) - 1);
    return (int) Math.max(least, wanted);
  }
}
