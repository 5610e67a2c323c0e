// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.background.DaemonThread;
import io.nvcache.background.Ending;
import io.nvcache.background.SafeLog;
import io.nvcache.background.Waiting;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has regions finished when a cache is closed: on its own thread, so that who closes the cache need
 * not wait for a medium that hangs. To be waited for after all calls and all other background work
 * have ended.
 */
public final class FinalWrites implements Ending {
  private static final Logger LOG = LoggerFactory.getLogger(FinalWrites.class);

  private final Runnable writes;
  private final Thread thread;
  private boolean begun;
  private boolean done;

  /**
   * Makes the writes.
   *
   * @param finish writes what is left, the last that waits for what was revoked
   */
  public FinalWrites(Runnable finish, Revocations revocations) {
    this.writes = () -> run(finish, revocations);
    this.thread = DaemonThread.of("nvcache-finish", writes);
  }

  private static void run(Runnable finish, Revocations revocations) {
    try {
      finish.run();
    } catch (RuntimeException | Error failure) {
      SafeLog.warn(LOG, "the last blocks were not written: {}; {}", failure, "the others are kept");
    } finally {
      revocations.end();
    }
  }

  /** Does nothing: it has not begun. */
  @Override
  public void end() {}

  /** Begins, the first time, and waits, on when interrupted: what is written is freed next. */
  @Override
  public synchronized boolean awaitEnd(long nanos) {
    if (!begun) {
      begun = true;
      try {
        thread.start();
      } catch (OutOfMemoryError noMoreThreads) {
        writes.run(); // Or the medium would stay open, as of a cache that was not built for it.
        done = true;
      }
    }
    return done || Waiting.join(thread, nanos);
  }
}
