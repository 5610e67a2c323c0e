// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import org.jspecify.annotations.Nullable;

/** Finds out whether the JVM lets memory be reached by address, which later JDKs may deny. */
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
      throw new IllegalStateException(DENIAL);
    }
  }

  /** Returns by what memory is reached: {@code java.lang.foreign} or {@code sun.misc.Unsafe}. */
  public static String api() {
    require();
    return RawMemory.MEMORY.name();
  }

  /** Why {@link RawMemory} can't be initialized; null if it can. */
  private static @Nullable String denial() {
    try {
      RawMemory.pageBytes();
      return null;
    } catch (LinkageError e) {
      Throwable reason = e.getCause() == null ? e : e.getCause();
      return String.valueOf(
          reason instanceof IllegalStateException ? reason.getMessage() : reason.toString());
    }
  }
}
