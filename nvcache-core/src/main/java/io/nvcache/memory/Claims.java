// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Knows which media and policies belong to a cache. Each belongs to one, from the moment the cache
 * is built, and to none ever after: what ends with a cache is not used again.
 *
 * <p>The cache reads the memory of its parts by address. A part that another cache frees, or its
 * maker, would end the JVM. So a second claim is refused, and so is {@link AutoCloseable#close} of
 * a claimed part, as long as the part calls {@link #requireNotHeld} there.
 *
 * <p>Parts are compared by identity and held weakly. Thread-safe.
 */
public final class Claims {
  private static final Cache<AutoCloseable, Claim> CLAIMS =
      Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();

  private Claims() {}

  /** Must not reference the part, which would then never be forgotten. */
  private static final class Claim {
    final String kind;
    volatile boolean released;

    Claim(String kind) {
      this.kind = kind;
    }
  }

  /**
   * Claims a part for the cache that is being built.
   *
   * @param kind what to call the part in an error: "medium", "eviction policy"
   * @throws IllegalStateException if a cache has, or had, the part; it stays as it was
   */
  public static void take(AutoCloseable part, String kind) {
    Claim earlier = CLAIMS.asMap().putIfAbsent(part, new Claim(kind));
    if (earlier != null) {
      throw new IllegalStateException(
          "this "
              + earlier.kind
              + (earlier.released
                  ? " belonged to a cache that is closed; make a new one"
                  : " belongs to another cache; make a new one for each"));
    }
  }

  /**
   * Lets a part that was claimed be closed, which the cache that it belongs to does next.
   *
   * @return the part
   */
  public static <T extends AutoCloseable> T release(T part) {
    Claim claim = CLAIMS.getIfPresent(part);
    if (claim != null) {
      claim.released = true;
    }
    return part;
  }

  /** Closes a part after a failure, and adds what it throws to that. */
  public static void closeAfter(Throwable failure, AutoCloseable part) {
    try {
      release(part).close();
    } catch (Exception | Error e) { // Who made it closes others yet.
      failure.addSuppressed(e);
    }
  }

  /**
   * Refuses to close a part that a cache reads. To be called first in {@link AutoCloseable#close}.
   *
   * @throws IllegalStateException if a cache has the part
   */
  public static void requireNotHeld(AutoCloseable part) {
    Claim claim = CLAIMS.getIfPresent(part);
    if (claim != null && !claim.released) {
      throw new IllegalStateException(
          "this " + claim.kind + " belongs to a cache, which closes it; close the cache instead");
    }
  }
}
