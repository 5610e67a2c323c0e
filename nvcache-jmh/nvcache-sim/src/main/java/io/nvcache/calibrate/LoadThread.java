// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A thread that does one thing over and over and counts it.
 *
 * <p>The count is written by this thread and read by the one that measures; it lies in an object of
 * its own thread, so that no two threads write to one cache line.
 */
final class LoadThread extends Thread {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * The part of a slice for which threads run before they are counted: all are started by that
   * time.
   */
  private static final int LEAD_PART = 5;

  /** One access to the medium. */
  @FunctionalInterface
  interface Access {
    void run() throws IOException;
  }

  private final int accessBytes;
  private final Access access;
  private volatile boolean stopped;
  private volatile long accesses;
  private long accessesBefore;
  private volatile @Nullable Throwable failure;

  LoadThread(int accessBytes, Access access) {
    super("nvcache-calibrate");
    setDaemon(true);
    this.accessBytes = accessBytes;
    this.access = access;
  }

  @Override
  public void run() {
    try {
      long done = 0;
      while (!stopped) {
        access.run();
        accesses = ++done;
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
  }

  /** Bytes moved while it was counted. */
  static long movedBytes(List<LoadThread> threads) {
    return threads.stream()
        .mapToLong(thread -> (thread.accesses - thread.accessesBefore) * thread.accessBytes)
        .sum();
  }

  /**
   * Runs the threads, counts for so many nanoseconds, and ends them.
   *
   * @param reading takes the figures when the time is over, given the seconds that it really was
   */
  static <T> T run(List<LoadThread> threads, long nanos, DoubleFunction<T> reading)
      throws IOException, InterruptedException {
    try {
      threads.forEach(Thread::start);
      TimeUnit.NANOSECONDS.sleep(nanos / LEAD_PART);
      long start = System.nanoTime();
      threads.forEach(thread -> thread.accessesBefore = thread.accesses);
      TimeUnit.NANOSECONDS.sleep(nanos - nanos / LEAD_PART);
      double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
      return reading.apply(seconds);
    } finally {
      threads.forEach(thread -> thread.stopped = true);
      for (LoadThread thread : threads) {
        thread.join();
      }
      requireSuccess(threads);
    }
  }

  private static void requireSuccess(List<LoadThread> threads) throws IOException {
    for (LoadThread thread : threads) {
      Throwable failure = thread.failure;
      if (failure != null) {
        throw new IOException("the medium failed: " + failure.getMessage(), failure);
      }
    }
  }
}
