// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.nio.ByteBuffer;

/**
 * Copies between the heap and buffers whose memory {@linkplain RawMemory#mayVanish may vanish}, by
 * the JDK's own methods: what is gone is an exception of the copy, {@link InternalError} for a page
 * of a file, {@link IllegalStateException} for an arena, and never the JVM's end. For media, which
 * take such buffers from callers that use them without a cache.
 */
public final class VanishingMemory {
  private VanishingMemory() {}

  /** Returns a copy of bytes of a buffer, whatever its position and limit. */
  public static ByteBuffer copyOf(ByteBuffer src, int position, int length) {
    ByteBuffer copy = ByteBuffer.allocate(length).put(0, src.duplicate().clear(), position, length);
    RawMemory.deliverFaults();
    return copy;
  }

  /**
   * Copies all of a heap buffer to a buffer from {@code position} on, whatever its own position and
   * limit.
   */
  public static void copyTo(ByteBuffer dst, int position, ByteBuffer copy) {
    dst.duplicate().clear().put(position, copy, 0, copy.capacity());
    RawMemory.deliverFaults();
  }
}
