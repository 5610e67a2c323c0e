// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

/** Checks of what callers name blocks by. */
public final class CallerKeys {
  private CallerKeys() {}

  /** Refuses an offset that no block can have. */
  public static void checkOffset(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException(
          "offset is "
              + offset
              + "; it must not be negative: give the block's first byte in its file");
    }
  }

  /** Refuses a count of blocks for which an array has too few elements. */
  public static void checkCount(int count, int lengthOfArray) {
    if (count < 0 || count > lengthOfArray) {
      throw new IndexOutOfBoundsException(
          "count is "
              + count
              + ", and an array has "
              + lengthOfArray
              + " elements; give each an element for each block");
    }
  }
}
