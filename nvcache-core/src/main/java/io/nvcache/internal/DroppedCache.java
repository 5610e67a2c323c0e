// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.background.DaemonThread;
import io.nvcache.background.SafeLog;
import io.nvcache.background.SharedCleaner;
import io.nvcache.internal.gate.CallersHold;
import java.lang.ref.Cleaner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a cache that its callers dropped without closing it, and says where it was built: its
 * threads, its memory and the lock of its file would stay for as long as the process.
 *
 * <p>It must not reference the {@linkplain CallersHold hold}, which would never become unreachable
 * then; nor may anything that the end of the cache is made of.
 */
final class DroppedCache implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(DroppedCache.class);

  private final Shutdown end;
  private final String medium;
  private final String builtAt;

  private DroppedCache(Shutdown end, String medium, String builtAt) {
    this.end = end;
    this.medium = medium;
    this.builtAt = builtAt;
  }

  /**
   * Watches a cache until it is closed.
   *
   * @param hold what callers hold of it
   * @param builtAt the place that built it, in words
   */
  static void watch(CallersHold hold, Shutdown end, String medium, String builtAt) {
    Cleaner.Cleanable watch = SharedCleaner.register(hold, new DroppedCache(end, medium, builtAt));
    end.addCompanion(watch::clean); // Or the end would be kept after it came.
  }

  @Override
  public void run() {
    if (end.hasBegun()) {
      return;
    }
    SafeLog.warn(
        LOG,
        "a cache on {} was dropped and is closed now; close it where it is no longer used. It was"
            + " built at {}",
        medium,
        builtAt);
    Thread closer = DaemonThread.of("nvcache-dropped", end::run);
    try {
      closer.start(); // Calls inside and the medium are waited for, which others must not be.
    } catch (OutOfMemoryError noMoreThreads) {
      end.run();
    }
  }
}
