// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import io.nvcache.background.DaemonThread;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one thread on which an adapter has the hot blocks of compactions cached, of one compaction
 * after the other, while there are any. Of those that wait for it, the oldest is dropped: its hot
 * blocks have been read by others since. Thread-safe.
 */
public final class CarryingThread implements Executor, AutoCloseable {
  /** How many compactions wait at most. */
  public static final int MOST_WAITING = 16;

  private static final int IDLE_SECONDS = 10;

  private final Runnable queueFull;
  private final ThreadPoolExecutor thread;

  /**
   * Begins without a thread.
   *
   * @param queueFull called each time that the oldest is dropped because too many wait
   */
  public CarryingThread(Runnable queueFull) {
    this.queueFull = queueFull;
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

  /**
   * Work for the thread.
   *
   * @param dropped called instead of it
   */
  private record Waiting(Runnable work, Runnable dropped) implements Runnable {
    @Override
    public void run() {
      work.run();
    }
  }

  /**
   * Makes a thread in the outermost group: Cassandra takes a compaction's group for compactions.
   */
  private static Thread thread(Runnable work) {
    Thread thread = DaemonThread.of("nvcache-compaction-heat", work);
    thread.setContextClassLoader(CarryingThread.class.getClassLoader());
    return thread;
  }

  private void dropOldest(Runnable newest, ThreadPoolExecutor full) {
    if (full.isShutdown()) {
      drop(newest);
      return;
    }
    Runnable oldest = full.getQueue().poll();
    if (oldest != null) { // Or the thread took it right now.
      drop(oldest);
      queueFull.run();
    }
    full.execute(newest);
  }

  private static void drop(Runnable waiting) {
    if (waiting instanceof Waiting its) {
      its.dropped.run();
    }
  }

  @Override
  public void execute(Runnable work) {
    execute(work, () -> {});
  }

  /**
   * Has the thread do some work, once what waits is done.
   *
   * @param dropped called instead of the work if that is dropped, by any thread
   */
  public void execute(Runnable work, Runnable dropped) {
    thread.execute(new Waiting(work, dropped));
  }

  /** Drops what waits, and returns how much that was. */
  public int dropWaiting() {
    int count = 0;
    for (Runnable each = thread.getQueue().poll(); each != null; each = thread.getQueue().poll()) {
      drop(each);
      count++;
    }
    return count;
  }

  /**
   * Drops what waits and what comes later. Work that was begun ends by itself: an interrupt could
   * close a file for all who read it.
   */
  @Override
  public void close() {
    thread.shutdown();
    dropWaiting();
  }
}
