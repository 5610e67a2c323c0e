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
}
