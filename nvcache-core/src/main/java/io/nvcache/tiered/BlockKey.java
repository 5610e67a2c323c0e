// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import org.jspecify.annotations.Nullable;

/** The name of a block in the maps of the DRAM tier. */
record BlockKey(long fileId, long offset) {
  BlockKey {
    if (offset < 0) {
      throw new IllegalArgumentException(
          "offset " + offset + " of file " + fileId + " is negative; the first byte is 0");
    }
  }

  /** By hand: the JDK keeps the last class for which it made this, and so its class loader. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BlockKey key && fileId == key.fileId && offset == key.offset;
  }

  /** Offsets are multiples of the block size in many files: multiply, or they share bins. */
  @Override
  public int hashCode() {
    return Long.hashCode((fileId * 0x9E3779B97F4A7C15L + offset) * 0xC2B2AE3D27D4EB4FL);
  }
}
