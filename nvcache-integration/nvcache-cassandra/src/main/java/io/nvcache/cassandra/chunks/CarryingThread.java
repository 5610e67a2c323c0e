// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import io.nvcache.background.DaemonThread;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.host.ReasonCounts;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one thread that reads hot chunks back, while there are any. Of what waits for it, the oldest
 * is dropped: its hot chunks have been read by queries since. Thread-safe.
 */
public final class CarryingThread implements Executor, AutoCloseable {
  static final int MOST_WAITING = 16;

  private static final int IDLE_SECONDS = 10;

  private final ReasonCounts<Bypass> bypasses;
  private final ThreadPoolExecutor thread;

  public CarryingThread(ReasonCounts<Bypass> bypasses) {
    this.bypasses = bypasses;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            CarryingThread::thread,
            this::dropOldest);
    thread.allowCoreThreadTimeOut(true);
  }

  /** In the outermost group: what belongs to a compaction's is taken for one. */
  private static Thread thread(Runnable work) {
    Thread thread = DaemonThread.of("nvcache-compaction-heat", work);
    thread.setContextClassLoader(CarryingThread.class.getClassLoader());
    return thread;
  }

  private void dropOldest(Runnable work, ThreadPoolExecutor executor) {
    if (!executor.isShutdown()) {
      if (executor.getQueue().poll() != null) {
        bypasses.count(Bypass.HEAT_QUEUE_FULL);
      }
      executor.execute(work);
    }
  }

  @Override
  public void execute(Runnable work) {
    thread.execute(work);
  }

  /** Drops what waits, and lets a chunk that is being read end. */
  @Override
  public void close() {
    thread.shutdown();
    thread.getQueue().clear();
  }
}
