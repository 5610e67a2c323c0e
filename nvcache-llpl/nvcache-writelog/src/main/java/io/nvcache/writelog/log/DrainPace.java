// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Says when a log is drained in the background: each time it is asked while the disk is fast, and
 * with rests between while it is slow.
 *
 * <p>A sync of a file holds up some of those who write it: they wait for a page that is on its way
 * to the disk, or for the file system's journal. On a busy disk a sync takes long, and one after
 * the other would hold up many. So a drain rests {@value #RESTS} times as long as it took, unless
 * the log fills.
 *
 * <p>For the thread that drains in the background; who needs room drains without asking.
 */
public final class DrainPace {
  private static final int RESTS = 4;

  /** So that a log is not left full of old records after one long sync. */
  private static final long LONGEST_REST_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LogEngine engine;
  private final LongSupplier ticker;
  private boolean resting;
  private long restsUntil;

  /**
   * Makes a pace.
   *
   * @param ticker the time in nanoseconds, of {@link System#nanoTime}
   */
  public DrainPace(LogEngine engine, LongSupplier ticker) {
    this.engine = engine;
    this.ticker = ticker;
  }

  /** Drains what was appended before, if it is time. */
  public void round() {
    long began = ticker.getAsLong();
    if (resting && began - restsUntil < 0 && !engine.isFilling()) {
      return;
    }
    try {
      engine.drainPending();
    } finally {
      long ended = ticker.getAsLong();
      restsUntil = ended + Math.min(LONGEST_REST_NANOS, RESTS * (ended - began));
      resting = true;
    }
  }
}
