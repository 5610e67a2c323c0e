// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import java.nio.ByteBuffer;

/** A buffer over the memory of a shared arena, of which JDK 17 has none. */
public final class ArenaBuffer {
  private static final String ARENA = "java.lang.foreign.Arena";

  private final Object arena;
  private final ByteBuffer buffer;

  public ArenaBuffer(int length) throws ReflectiveOperationException {
    Class<?> arenas = Class.forName(ARENA);
    arena = arenas.getMethod("ofShared").invoke(null);
    Object segment = arenas.getMethod("allocate", long.class).invoke(arena, (long) length);
    buffer =
        (ByteBuffer)
            Class.forName("java.lang.foreign.MemorySegment")
                .getMethod("asByteBuffer")
                .invoke(segment);
  }

  public ByteBuffer buffer() {
    return buffer;
  }

  /** Frees the memory. */
  public void close() throws ReflectiveOperationException {
    Class.forName(ARENA).getMethod("close").invoke(arena);
  }
}
