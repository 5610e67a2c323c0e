// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

/**
 * Reads locations. A <em>location</em> names the place of a block: 32 bits, from which the place's
 * first byte and its size are known from the location alone.
 *
 * <pre>
 *   | number of a cut | first granule |      The mask leaves the first granule; where it leaves all
 *     cutShift bits up   cutShift bits       bits, those above cutShift belong to both.
 * </pre>
 */
public final class LocationCodec {
  private final int granuleShift;
  private final int extentShift;
  private final int extentBytes;
  private final int maxBlockBytes;
  private final long capacityBytes;

  /** The size of the slot, by the high bits of a location. */
  private final int[] cuts;

  private final int cutShift;
  private final long granuleMask;

  /**
   * Sets how locations are read.
   *
   * @param capacityBytes what is handed out
   * @param cuts by the high bits of a location, the size of the slot. Plain: a thread that has a
   *     location from the index sees at least what was written before it was put there
   * @param cutShift how many bits lie below those
   * @param granuleMask the bits of a location that are the slot's first granule
   */
  public LocationCodec(
      Sizing sizing, long capacityBytes, int[] cuts, int cutShift, long granuleMask) {
    this.granuleShift = Integer.numberOfTrailingZeros(sizing.granuleBytes());
    this.extentShift = Integer.numberOfTrailingZeros(sizing.extentBytes());
    this.extentBytes = sizing.extentBytes();
    this.maxBlockBytes = sizing.maxBlockBytes();
    this.capacityBytes = capacityBytes;
    this.cuts = cuts;
    this.cutShift = cutShift;
    this.granuleMask = granuleMask;
  }

  /** Returns the slot size at a location; 0 if there is none. */
  public int slotBytes(long location) {
    int cut = (int) (location >>> cutShift);
    // Never negative, which compilers don't know: with this, they needn't check the bounds again.
    return cut >= 0 && cut < cuts.length ? cuts[cut] : 0;
  }

  /** Returns the first granule of the slot at a location. */
  public long granule(long location) {
    return location & granuleMask;
  }

  /** Returns the medium's byte that a location means. */
  public long byteOffset(long location) {
    return (location & granuleMask) << granuleShift;
  }

  /** Returns the length of the longest block. */
  public int maxBlockBytes() {
    return maxBlockBytes;
  }

  /** Returns the length of a granule. */
  public int granuleBytes() {
    return 1 << granuleShift;
  }

  /** Returns the extent that a location lies in. */
  public int extentNumber(long location) {
    return (int) (byteOffset(location) >>> extentShift);
  }

  /** Returns the length of an extent. */
  public int extentBytes() {
    return extentBytes;
  }

  /** Returns how many extents there are; the last may be shorter than the others. */
  public int extentCount() {
    return (int) ((capacityBytes + extentBytes - 1) >>> extentShift);
  }

  /** Returns the bytes that are handed out: the medium, less what is left over at its end. */
  public long capacityBytes() {
    return capacityBytes;
  }
}
