// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of a cache's background work, and when the last one ended.
 *
 * <p>A part of a round that fails costs the others nothing: they are done all the same, and then
 * the failure is thrown. Only a round that did all its parts counts as ended.
 */
final class Rounds {
  private static final long OVERDUE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Runnable[] parts;
  private final Maintenance maintenance;
  private final BooleanSupplier feedDied;
  private final LongSupplier nanoTime;
  private volatile long lastEndNanos;

  /**
   * Makes rounds, the last of which ends now.
   *
   * @param feedDied whether the thread that feeds the shadows has ended though it should not
   * @param parts what a round does, in this order
   */
  Rounds(
      Maintenance maintenance, BooleanSupplier feedDied, LongSupplier nanoTime, Runnable... parts) {
    this.parts = parts;
    this.maintenance = maintenance;
    this.feedDied = feedDied;
    this.nanoTime = nanoTime;
    this.lastEndNanos = nanoTime.getAsLong();
  }

  /** Does a round. */
  void run() {
    Throwable failure = null;
    for (Runnable part : parts) {
      try {
        part.run();
      } catch (RuntimeException | Error e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure == null) {
      lastEndNanos = nanoTime.getAsLong();
    } else if (failure instanceof Error error) {
      throw error;
    } else {
      throw (RuntimeException) failure;
    }
  }

  /** The seconds since a round ended. */
  long secondsSinceEnd() {
    return TimeUnit.NANOSECONDS.toSeconds(sinceEndNanos());
  }

  private long sinceEndNanos() {
    return Math.max(0, nanoTime.getAsLong() - lastEndNanos);
  }

  /** What is wrong with the background work, in words; null if nothing is. */
  @Nullable String trouble() {
    if (sinceEndNanos() > OVERDUE_NANOS) {
      return "no round of the background work has ended for "
          + secondsSinceEnd()
          + " s: "
          + maintenance.whereabouts();
    }
    return feedDied.getAsBoolean() ? "the thread of the shadows has ended" : null;
  }
}
