// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads events several times a second, and when a ring is half full. Started with the first use.
 */
final class ShadowThread implements LiveShadows.ShadowFeed {
  private static final Logger LOG = LoggerFactory.getLogger(ShadowThread.class);
  private static final AtomicInteger THREADS = new AtomicInteger();
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Runnable work;
  private volatile @Nullable Thread thread;
  private volatile boolean woken;
  private volatile boolean ended;

  ShadowThread(Runnable work) {
    this.work = work;
  }

  @Override
  public synchronized void start() {
    if (thread == null && !ended) {
      Thread started = new Thread(this::loop, "nvcache-shadow-" + THREADS.incrementAndGet());
      started.setDaemon(true);
      thread = started;
      started.start();
    }
  }

  private void loop() {
    while (!ended) {
      if (!woken) {
        LockSupport.parkNanos(this, PERIOD_NANOS);
      }
      woken = false;
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        LOG.error("the shadows failed; they are fed again in a moment", e);
      }
    }
  }

  @Override
  public void wake() {
    if (!woken) {
      woken = true;
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void close() {
    ended = true;
    Thread started = thread;
    if (started == null) {
      return;
    }
    LockSupport.unpark(started);
    boolean interrupted = false;
    while (started.isAlive()) {
      try {
        started.join();
      } catch (InterruptedException e) {
        interrupted = true; // The policies' memory must not be freed under the thread.
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
