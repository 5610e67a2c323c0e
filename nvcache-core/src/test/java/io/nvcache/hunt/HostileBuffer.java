// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A buffer to hand in, and what is known of it.
 *
 * @param kind what is wrong with it, if anything
 * @param buffer the buffer; null for {@link BufferKind#NULL}
 * @param content what a reader of the remaining bytes must find; null if nobody knows
 * @param usable how many bytes from the position on are there: who reads or writes more must fail
 */
record HostileBuffer(
    BufferKind kind, @Nullable ByteBuffer buffer, byte @Nullable [] content, int usable) {
  static final int ALL = Integer.MAX_VALUE;

  static final byte UNTOUCHED = 0x5A;

  /** Whether so many bytes are not all there. */
  boolean lacks(int bytes) {
    return bytes > usable;
  }

  int remaining() {
    return buffer == null ? 0 : buffer.remaining();
  }

  /** What was written to a buffer that can be looked at, from a position on. */
  byte[] bytes(int from, int length) {
    byte[] bytes = new byte[length];
    if (buffer != null) {
      buffer.duplicate().clear().position(from).get(bytes);
    }
    return bytes;
  }

  /** Whether what lies outside of a range of a buffer of this hunt was left as it was. */
  boolean isUntouchedOutside(int from, int to) {
    if (!kind.isSound() || buffer == null) {
      return true;
    }
    byte[] all = bytes(0, buffer.capacity());
    Arrays.fill(all, from, to, UNTOUCHED);
    for (byte each : all) {
      if (each != UNTOUCHED) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return kind + (buffer == null ? "" : "[" + buffer.position() + "," + buffer.limit() + ")");
  }
}
