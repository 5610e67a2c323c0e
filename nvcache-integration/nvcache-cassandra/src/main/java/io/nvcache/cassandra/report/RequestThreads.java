// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.report;

import io.nvcache.background.DaemonThread;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The threads that read and answer the requests of an HTTP server. A client that does not send the
 * rest of its request, or does not take the answer, is interrupted after a time, which closes its
 * connection. While other requests wait, a request gets the less time the more there are: hundreds
 * of clients that stall take a few times as long together as one of them.
 */
final class RequestThreads implements Executor, AutoCloseable {
  /** Enough threads that a client that stalls is not noticed by others. */
  static final int THREADS = 4;

  private static final int IDLE_SECONDS = 10;

  /** What a request gets at least, up to the limit: many times what an answer takes. */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final long limitNanos;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          DaemonThread.named("nvcache-prometheus"),
          new ThreadPoolExecutor.DiscardPolicy());

  private final ScheduledThreadPoolExecutor watch =
      new ScheduledThreadPoolExecutor(
          1,
          DaemonThread.named("nvcache-prometheus-limit"),
          new ThreadPoolExecutor.DiscardPolicy());

  /**
   * Starts no thread yet.
   *
   * @param limit for a request and its answer
   */
  RequestThreads(Duration limit) {
    this.limitNanos = limit.toNanos();
    threads.allowCoreThreadTimeOut(true);
    watch.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    watch.allowCoreThreadTimeOut(true);
    watch.setRemoveOnCancelPolicy(true);
  }

  @Override
  public void execute(Runnable request) {
    threads.execute(() -> runWithinLimit(request));
  }

  private void runWithinLimit(Runnable request) {
    Thread reader = Thread.currentThread();
    AtomicBoolean underWay = new AtomicBoolean(true);
    Future<?> limit =
        watch.schedule(
            () -> {
              if (underWay.compareAndSet(true, false)) {
                reader.interrupt();
              }
            },
            nanosNow(),
            TimeUnit.NANOSECONDS);
    try {
      request.run();
    } finally {
      underWay.set(false);
      limit.cancel(false);
      boolean unused = Thread.interrupted(); // The next request is another client's.
    }
  }

  private long nanosNow() {
    int waiting = threads.getQueue().size();
    return Math.max(Math.min(LEAST_NANOS, limitNanos), limitNanos / Math.max(1, waiting));
  }

  @Override
  public void close() {
    threads.shutdownNow();
    watch.shutdownNow();
  }
}
