// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import io.nvcache.memory.OffHeapBytes;

/**
 * The checksum of the block in each slot of the index: four bytes a slot, next to the index, whose
 * buckets are full. They belong to the slot's bucket: written inside its lock, read under its
 * version.
 *
 * <p>If they are marked, the lowest bit says whether the block was compared with its sum since it
 * was put where it lies, and the others are the sum's.
 */
final class BlockSums implements AutoCloseable {
  /** The bit of a marked sum that says that the block was compared. */
  private static final int VERIFIED = 1;

  private final OffHeapBytes sums;

  /** The bits of a sum. */
  private final int kept;

  private BlockSums(int slots, int kept) {
    this.sums = OffHeapBytes.zeroed((long) slots * Integer.BYTES, Long.BYTES);
    this.kept = kept;
  }

  static BlockSums plain(int slots) {
    return new BlockSums(slots, -1);
  }

  static BlockSums marked(int slots) {
    return new BlockSums(slots, ~VERIFIED);
  }

  /** Returns whether a marked sum says that the block was compared. */
  static boolean isVerified(int marked) {
    return (marked & VERIFIED) != 0;
  }

  /** Returns whether a marked sum is this one, marked or not. */
  static boolean isSum(int marked, int sum) {
    return ((marked ^ sum) & ~VERIFIED) == 0;
  }

  int get(int slot) {
    return sums.getInt((long) slot * Integer.BYTES);
  }

  /** The sum of a block that comes into a slot. */
  void set(int slot, int sum) {
    sums.putInt((long) slot * Integer.BYTES, sum & kept);
  }

  /** The block was put elsewhere. */
  void moved(int slot) {
    set(slot, get(slot));
  }

  /** The block was compared with its marked sum. */
  void verified(int slot) {
    sums.putInt((long) slot * Integer.BYTES, get(slot) | VERIFIED);
  }

  long metadataBytes() {
    return sums.sizeBytes();
  }

  @Override
  public void close() {
    sums.close();
  }
}
