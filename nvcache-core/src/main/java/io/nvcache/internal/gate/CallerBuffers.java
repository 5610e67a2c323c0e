// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

import io.nvcache.memory.BufferRefusals;
import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;

/**
 * The border that callers' buffers cross.
 *
 * <p>Memory that {@linkplain RawMemory#mayVanish may vanish} meets neither the engine's copies by
 * address nor a checksum nor a medium: the JDK's own methods copy it to or from a buffer of the
 * engine's, here. So a fault in it is an exception for the caller, on every JDK. It is not counted
 * against the medium, and bytes that could not be read are not admitted.
 */
public final class CallerBuffers {
  private CallerBuffers() {}

  /** Refuses a buffer that can't take {@code length} bytes. */
  public static void checkRoom(ByteBuffer dst, int length) {
    if (dst.isReadOnly()) {
      throw BufferRefusals.readOnly();
    }
    if (dst.remaining() < length) {
      throw BufferRefusals.tooSmall(length, dst.remaining());
    }
    checkAlive(dst);
  }

  /** Refuses a buffer whose memory is gone already. */
  public static void checkAlive(ByteBuffer buffer) {
    if (RawMemory.mayVanish(buffer) && buffer.hasRemaining()) {
      byte unused = buffer.get(buffer.position());
      RawMemory.deliverFaults();
    }
  }

  /** Puts what remains of a copy into a caller's buffer that may vanish, and moves that. */
  public static void put(ByteBuffer dst, ByteBuffer copy) {
    int position = dst.position();
    int length = copy.remaining();
    if (length > dst.limit() - position) {
      throw BufferRefusals.tooSmall(length, dst.limit() - position); // Another thread moves it.
    }
    dst.put(position, copy, copy.position(), length);
    RawMemory.deliverFaults();
    dst.position(position + length);
  }

  /** Fills {@code copy} with bytes of a caller's buffer that may vanish. */
  public static void take(ByteBuffer src, int position, int length, ByteBuffer copy) {
    copy.clear().limit(length).put(0, src, position, length);
    RawMemory.deliverFaults();
  }

  public static IllegalStateException closed() {
    return new IllegalStateException("the pin is closed; pin the block again to read it");
  }
}
