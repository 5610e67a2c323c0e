// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread that does its work once a period, and when woken, until it is asked to end.
 *
 * <p>Whatever a round throws, and whatever its log throws at that, the next round comes: an {@link
 * OutOfMemoryError} or a {@link StackOverflowError} is the state of a moment, and the cache needs
 * this thread afterwards.
 */
public final class BackgroundThread implements Worker {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundThread.class);
  private static final AtomicInteger THREADS = new AtomicInteger();

  private final String name;
  private final long periodNanos;
  private final Runnable work;
  private volatile @Nullable Thread thread;
  private volatile boolean woken;
  private volatile boolean ended;

  /**
   * Makes a thread that is yet to start.
   *
   * @param purpose what follows {@code nvcache-} in its name, before a number
   * @param periodNanos from one round to the next, in nanoseconds
   * @param work a round
   */
  public BackgroundThread(String purpose, long periodNanos, Runnable work) {
    this.name = "nvcache-" + purpose + "-" + THREADS.incrementAndGet();
    this.periodNanos = periodNanos;
    this.work = work;
  }

  @Override
  public synchronized void start() {
    if (thread == null && !ended) {
      Thread fresh = DaemonThread.of(name, this::loop);
      fresh.start(); // May find no memory for a thread; then the next call tries again.
      thread = fresh;
    }
  }

  private void loop() {
    long next = System.nanoTime() + periodNanos;
    while (!ended) {
      // What a round called may have restored it, and then this thread would park no more.
      boolean unused = Thread.interrupted();
      try {
        long wait = next - System.nanoTime();
        if (wait > 0 && !woken) {
          LockSupport.parkNanos(this, wait);
          continue;
        }
        woken = false;
        if (wait <= 0) {
          next = System.nanoTime() + periodNanos;
        }
        work.run();
      } catch (RuntimeException | Error e) {
        report(e);
      }
    }
  }

  /** Logs a failure; in a full heap even to find the words the first time may fail. */
  private void report(Throwable failure) {
    try {
      LOG.error("a round of {} failed; the next one comes", name, failure);
    } catch (RuntimeException | Error unheard) {
      // There is nowhere left to say it.
    }
  }

  /** Has a round begin soon. Never blocks. */
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

  /** Waits on when interrupted: what a round touches is freed next. */
  @Override
  public boolean awaitEnd(long nanos) {
    Thread started = thread;
    if (started == null) {
      return true;
    }
    if (Thread.currentThread() == started) {
      return false;
    }
    return Waiting.join(started, nanos);
  }

  /** Returns what keeps rounds from ending, as far as the thread shows it; for people. */
  public String whereabouts() {
    Thread started = thread;
    if (started == null) {
      return "the thread " + name + " was not started";
    }
    return started.isAlive()
        ? "the thread " + name + " is at " + Whereabouts.innermost(started)
        : "the thread " + name + " has ended";
  }

  /** Returns whether the thread has ended though it was not asked to. */
  @Override
  public boolean hasDied() {
    Thread started = thread;
    return started != null && !ended && !started.isAlive();
  }
}
