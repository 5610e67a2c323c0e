// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Replaces one part of a cache for tests, or for debugging, by {@link BlockCacheBuilder#testing}. A
 * cache in production has none.
 */
public final class TestHook {
  private final Hook hook;

  private TestHook(Hook hook) {
    this.hook = hook;
  }

  @FunctionalInterface
  private interface Hook {
    void install(Installed hooks);
  }

  /** What the hooks of one builder have replaced. */
  static final class Installed {
    long hashSeed = ThreadLocalRandom.current().nextLong();
    LongSupplier nanoTime = System::nanoTime;
    long bufferBytes;
    Set<DebugCheck> debugChecks = DebugChecks.fromProperty();
  }

  /**
   * Seeds the index's hash, so that a test can be repeated. Without it the seed is random, and no
   * caller can choose blocks that collide.
   */
  public static TestHook hashSeed(long seed) {
    return new TestHook(hooks -> hooks.hashSeed = seed);
  }

  /** Replaces the clock of the cache, in nanoseconds; {@link System#nanoTime} without it. */
  public static TestHook nanoTime(LongSupplier clock) {
    Objects.requireNonNull(clock, "clock");
    return new TestHook(hooks -> hooks.nanoTime = clock);
  }

  /** Bounds the bytes of each of the cache's pools of buffers, instead of what suits the heap. */
  public static TestHook bufferBytes(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("bufferBytes is " + bytes + "; it must be positive");
    }
    return new TestHook(hooks -> hooks.bufferBytes = bytes);
  }

  /**
   * Has the cache run these checks and no others; without it, those that the system property {@code
   * nvcache.debug} names, separated by commas, or {@code all}.
   */
  public static TestHook debug(DebugCheck... checks) {
    Objects.requireNonNull(checks, "checks");
    Set<DebugCheck> chosen = EnumSet.noneOf(DebugCheck.class);
    for (DebugCheck check : checks) {
      chosen.add(Objects.requireNonNull(check, "checks has a null"));
    }
    return new TestHook(hooks -> hooks.debugChecks = chosen);
  }

  void install(Installed hooks) {
    hook.install(hooks);
  }
}
