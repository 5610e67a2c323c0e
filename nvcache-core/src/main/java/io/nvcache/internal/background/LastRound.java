// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.background;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Remembers when a round of the background work last ended, and what keeps the next. */
public final class LastRound {
  private static final long OVERDUE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Maintenance maintenance;
  private final BooleanSupplier feedDied;
  private final LongSupplier nanoTime;
  private volatile long endNanos;

  /**
   * Takes now for the end of the last round.
   *
   * @param feedDied whether the thread that feeds the shadows has ended though it should not
   */
  public LastRound(Maintenance maintenance, BooleanSupplier feedDied, LongSupplier nanoTime) {
    this.maintenance = maintenance;
    this.feedDied = feedDied;
    this.nanoTime = nanoTime;
    ended();
  }

  /** A round has ended. */
  void ended() {
    endNanos = nanoTime.getAsLong();
  }

  /** Returns the seconds since a round ended. */
  public long secondsSinceEnd() {
    return TimeUnit.NANOSECONDS.toSeconds(sinceEndNanos());
  }

  private long sinceEndNanos() {
    return Math.max(0, nanoTime.getAsLong() - endNanos);
  }

  /** Returns what is wrong with the background work, in words; null if nothing is. */
  public @Nullable String trouble() {
    if (sinceEndNanos() > OVERDUE_NANOS) {
      return "no round of the background work has ended for "
          + secondsSinceEnd()
          + " s: "
          + maintenance.whereabouts();
    }
    return feedDied.getAsBoolean() ? "the thread of the shadows has ended" : null;
  }
}
