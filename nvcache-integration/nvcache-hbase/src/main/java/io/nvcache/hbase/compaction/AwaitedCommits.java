// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import io.nvcache.background.DaemonThread;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
  private final Set<Awaited> pending = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          DaemonThread.named("nvcache-compaction-commit"),
          new ThreadPoolExecutor.DiscardPolicy());

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

  /**
   * Waits for a commit; the first look is the calling thread's.
   *
   * @param isWhole returns whether the store serves the outputs instead of the inputs
   * @param goOn called once it does
   * @param giveUp called if it does not
   */
  void await(BooleanSupplier isWhole, Runnable goOn, Runnable giveUp) {
    Awaited commit = new Awaited(isWhole, goOn, giveUp);
    pending.add(commit);
    commit.look(1);
  }

  /** One commit, which has an end, and one alone: it is whole or given up. */
  private final class Awaited {
    private final BooleanSupplier isWhole;
    private final Runnable goOn;
    private final Runnable giveUp;

    Awaited(BooleanSupplier isWhole, Runnable goOn, Runnable giveUp) {
      this.isWhole = isWhole;
      this.goOn = goOn;
      this.giveUp = giveUp;
    }

    void look(int number) {
      if (isWhole()) {
        end(goOn);
      } else if (number == mostLooks) {
        end(giveUp);
      } else {
        var unused =
            thread.schedule(
                () -> look(number + 1),
                Math.min(LONGEST_PAUSE_MILLIS, number),
                TimeUnit.MILLISECONDS);
      }
    }

    private boolean isWhole() {
      try {
        return isWhole.getAsBoolean();
      } catch (RuntimeException | Error e) {
        LOG.debug("A store can't be looked at", e); // It is closed right now, perhaps.
        return false;
      }
    }

    void end(Runnable how) {
      if (pending.remove(this)) {
        how.run();
      }
    }
  }

  /** Waits for no commit any more: those that are not whole are given up. */
  @Override
  public void close() {
    thread.shutdownNow();
    pending.forEach(commit -> commit.end(commit.giveUp));
  }
}
