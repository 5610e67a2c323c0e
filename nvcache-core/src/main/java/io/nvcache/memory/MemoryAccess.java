// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import org.jspecify.annotations.Nullable;

/** Finds out whether the JVM lets memory be reached by address, which JDK 24 and later may deny. */
public final class MemoryAccess {
  private static final @Nullable String DENIAL = denial();

  private MemoryAccess() {}

  /**
   * Returns if memory can be reached.
   *
   * @throws IllegalStateException if the JVM denies it; names the flag that allows it
   */
  public static void require() {
    if (DENIAL != null) {
      throw new IllegalStateException(
          "the JVM denies sun.misc.Unsafe the memory that the index and the media lie in ("
              + DENIAL
              + "); start it with --sun-misc-unsafe-memory-access=allow");
    }
  }

  /** Why {@link RawMemory} can't be initialized; null if it can. */
  private static @Nullable String denial() {
    try {
      RawMemory.pageBytes();
      return null;
    } catch (LinkageError e) {
      return String.valueOf(e.getCause() == null ? e : e.getCause());
    }
  }
}
