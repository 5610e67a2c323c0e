// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import java.util.Arrays;
import java.util.SplittableRandom;

/** The bytes of blocks: of another place, or offered another time, other ones. */
final class Contents {
  static final int MAX_LENGTH = 4096;
  private static final int POOL = 1 << 20;
  private static final byte[] BYTES = new byte[POOL + 2 * MAX_LENGTH];

  static {
    new SplittableRandom(42).nextBytes(BYTES);
  }

  private Contents() {}

  static byte[] of(long fileId, long offset, long version, int length) {
    long mixed = (fileId * 31 + offset) * 31 + version;
    mixed = (mixed ^ (mixed >>> 32)) * 0x9E37_79B9_7F4A_7C15L;
    int from = (int) (mixed >>> 44);
    return Arrays.copyOfRange(BYTES, from, from + length);
  }
}
