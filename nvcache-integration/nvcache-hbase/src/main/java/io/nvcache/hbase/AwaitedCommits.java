// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the commits of compactions. HBase reports an output before its write-ahead log has the
 * compaction and its store serves the output, and says nothing of either, so the store is looked at
 * until it does. Thread-safe.
 */
final class AwaitedCommits implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AwaitedCommits.class);

  /** One minute: a write-ahead log that takes longer mostly ends the server. */
  static final int MOST_LOOKS = 3000;

  /** Between looks: readers miss the outputs' blocks from the commit on, so the first are short. */
  private static final long LONGEST_PAUSE_MILLIS = 20;

  private static final int IDLE_SECONDS = 10;

  private final int mostLooks;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1, AwaitedCommits::thread, new ThreadPoolExecutor.DiscardPolicy());

  /**
   * Begins without any.
   *
   * @param mostLooks at one store, ≥ 1
   */
  AwaitedCommits(int mostLooks) {
    this.mostLooks = mostLooks;
    thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "nvcache-compaction-commit");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Waits for a commit; the first look is the calling thread's.
   *
   * @param isWhole returns whether the store serves the outputs in place of the inputs
   * @param goOn called once it does
   * @param giveUp called if it does not
   */
  void await(BooleanSupplier isWhole, Runnable goOn, Runnable giveUp) {
    look(isWhole, goOn, giveUp, 1);
  }

  private void look(BooleanSupplier isWhole, Runnable goOn, Runnable giveUp, int number) {
    boolean whole = false;
    try {
      whole = isWhole.getAsBoolean();
    } catch (RuntimeException e) {
      LOG.debug("A store can't be looked at", e); // It is closed right now, perhaps.
    }
    if (whole) {
      goOn.run();
    } else if (number == mostLooks) {
      giveUp.run();
    } else {
      var unused =
          thread.schedule(
              () -> look(isWhole, goOn, giveUp, number + 1),
              Math.min(LONGEST_PAUSE_MILLIS, number),
              TimeUnit.MILLISECONDS);
    }
  }

  /** Waits for no commit any more. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
