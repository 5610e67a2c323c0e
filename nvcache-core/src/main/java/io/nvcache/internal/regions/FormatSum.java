// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Sums up what describes the medium, in 64 bits: the CRC-32C in the high half and the CRC-32 in the
 * low one, whose polynomials have no factor in common. Blocks have 32 bits each, of which one in
 * four billion damaged ones slips through; a superblock or a footer speaks for thousands of them.
 */
final class FormatSum {
  private FormatSum() {}

  /** Returns the sum of {@code length} bytes from {@code at} on. */
  static long of(ByteBuffer bytes, int at, int length) {
    CRC32C high = new CRC32C();
    high.update(bytes.duplicate().limit(at + length).position(at));
    CRC32 low = new CRC32();
    low.update(bytes.duplicate().limit(at + length).position(at));
    return high.getValue() << Integer.SIZE | low.getValue();
  }
}
