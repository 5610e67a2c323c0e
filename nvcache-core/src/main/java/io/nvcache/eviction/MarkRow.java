// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

/** Questions to the eight marks that {@link SlotMarks#row} reads together. */
final class MarkRow {
  private static final long EACH_HIGH_BIT = 0x8080_8080_8080_8080L;
  private static final int BYTE_MASK = 0xFF;

  /** Low bits that have the place when marks are compared: the first of equals is the lowest. */
  private static final int PLACE_BITS = 3;

  private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;

  private MarkRow() {}

  /** The same marks, the one of {@code place} first. */
  static long from(long row, int place) {
    return Long.rotateRight(row, place * Byte.SIZE);
  }

  static int mark(long row, int place) {
    return (int) (row >>> (place * Byte.SIZE)) & BYTE_MASK;
  }

  /** Returns how many slots are not empty. */
  static int blocks(long row) {
    long low = ~EACH_HIGH_BIT;
    return Long.bitCount((((row & low) + low) | row) & EACH_HIGH_BIT);
  }

  /** Returns the place of the lowest mark of a block, the first of equals; any if all are empty. */
  static int lowest(long row) {
    int lowest = Integer.MAX_VALUE;
    for (int place = 0; place < SlotMarks.ROW_SLOTS; place++) {
      int beyondEmpty = (mark(row, place) - 1) & BYTE_MASK; // An empty one comes last.
      lowest = Math.min(lowest, beyondEmpty << PLACE_BITS | place);
    }
    return lowest & PLACE_MASK;
  }
}
