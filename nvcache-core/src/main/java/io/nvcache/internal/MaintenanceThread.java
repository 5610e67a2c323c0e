// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a cache's background work once a second, as the paper does (§3.1), and when woken. */
final class MaintenanceThread implements Maintenance {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceThread.class);
  private static final AtomicInteger THREADS = new AtomicInteger();
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Thread thread;
  private volatile Runnable work = () -> {};
  private volatile boolean woken;
  private volatile boolean ended;

  MaintenanceThread() {
    this.thread = new Thread(this::loop, "nvcache-maintenance-" + THREADS.incrementAndGet());
    thread.setDaemon(true);
  }

  @Override
  public void start(Runnable work) {
    this.work = work;
    thread.start();
  }

  private void loop() {
    long next = System.nanoTime() + PERIOD_NANOS;
    while (!ended) {
      long wait = next - System.nanoTime();
      if (wait > 0 && !woken) {
        LockSupport.parkNanos(this, wait);
        continue;
      }
      woken = false;
      if (wait <= 0) {
        next = System.nanoTime() + PERIOD_NANOS;
      }
      runOnce();
    }
  }

  private void runOnce() {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      // The cache goes on without this round; a policy that throws every time fills the log, not
      // the store's error path.
      LOG.error("background work failed; it is tried again in a second", e);
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
  public void end() {
    ended = true;
    LockSupport.unpark(thread);
  }

  @Override
  public boolean awaitEnd(long nanos) {
    if (Thread.currentThread() == thread) {
      return false;
    }
    long began = System.nanoTime();
    boolean interrupted = false;
    long left = nanos;
    while (thread.isAlive() && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, left);
      } catch (InterruptedException e) {
        interrupted = true; // The memory must not be freed under the thread, so the wait goes on.
      }
      left = nanos - (System.nanoTime() - began);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
