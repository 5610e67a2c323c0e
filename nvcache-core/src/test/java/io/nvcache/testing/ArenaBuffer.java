// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** A buffer over the memory of an arena, of which JDK 17 has none. */
public final class ArenaBuffer {
  private static final String ARENA = "java.lang.foreign.Arena";

  private final Object arena;
  private final ByteBuffer buffer;

  /** Over a shared arena, which any thread may use and close. */
  public ArenaBuffer(int length) throws ReflectiveOperationException {
    this("ofShared", length);
  }

  private ArenaBuffer(String kind, int length) throws ReflectiveOperationException {
    Class<?> arenas = Class.forName(ARENA);
    arena = arenas.getMethod(kind).invoke(null);
    Object segment = arenas.getMethod("allocate", long.class).invoke(arena, (long) length);
    buffer =
        (ByteBuffer)
            Class.forName("java.lang.foreign.MemorySegment")
                .getMethod("asByteBuffer")
                .invoke(segment);
  }

  /** A buffer that only another thread may use. */
  public static ByteBuffer confinedElsewhere(int length) throws Exception {
    CompletableFuture<ByteBuffer> made = new CompletableFuture<>();
    Thread owner =
        new Thread(
            () -> {
              try {
                made.complete(new ArenaBuffer("ofConfined", length).buffer());
              } catch (ReflectiveOperationException e) {
                made.completeExceptionally(e);
              }
            });
    owner.start();
    owner.join();
    return made.get();
  }

  public ByteBuffer buffer() {
    return buffer;
  }

  /** Frees the memory. */
  public void close() throws ReflectiveOperationException {
    Class.forName(ARENA).getMethod("close").invoke(arena);
  }
}
