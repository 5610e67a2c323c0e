// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Waits for threads and locks whatever interrupts say. */
public final class Waiting {
  private Waiting() {}

  private interface Wait {
    /** Returns whether what was waited for has come within the time. */
    boolean await(long nanos) throws InterruptedException;
  }

  /**
   * Waits for a thread to end, on when interrupted; the interrupt is kept.
   *
   * @return whether it has ended within the time given
   */
  public static boolean join(Thread thread, long nanos) {
    return !thread.isAlive()
        || uninterrupted(
            left -> {
              TimeUnit.NANOSECONDS.timedJoin(thread, left);
              return !thread.isAlive();
            },
            nanos);
  }

  /**
   * Waits for a lock, on when interrupted; the interrupt is kept.
   *
   * @return whether the calling thread has it now
   */
  public static boolean lock(Lock lock, long nanos) {
    return uninterrupted(left -> lock.tryLock(left, TimeUnit.NANOSECONDS), nanos);
  }

  /**
   * Waits until no thread has a lock, on when interrupted; the interrupt is kept. Does not wait for
   * the calling thread itself.
   *
   * @return whether none had it within the time given
   */
  public static boolean untilFree(ReentrantLock lock, long nanos) {
    if (lock.isHeldByCurrentThread() || !lock(lock, nanos)) {
      return false;
    }
    lock.unlock();
    return true;
  }

  /**
   * Waits for a permit, on when interrupted; the interrupt is kept.
   *
   * @return whether the calling thread has one now
   */
  public static boolean acquire(Semaphore permits, long nanos) {
    return uninterrupted(left -> permits.tryAcquire(left, TimeUnit.NANOSECONDS), nanos);
  }

  private static boolean uninterrupted(Wait wait, long nanos) {
    long began = System.nanoTime();
    boolean interrupted = false;
    boolean done = false;
    long left = nanos;
    while (!done && left > 0) {
      try {
        done = wait.await(left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = nanos - (System.nanoTime() - began);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return done;
  }
}
