// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** Waits for threads and locks whatever interrupts say. */
public final class Waiting {
  private Waiting() {}

  /**
   * Waits for a thread to end, on when interrupted; the interrupt is kept.
   *
   * @return whether it has ended within the time given
   */
  public static boolean join(Thread thread, long nanos) {
    long began = System.nanoTime();
    boolean interrupted = false;
    long left = nanos;
    while (thread.isAlive() && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedJoin(thread, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = nanos - (System.nanoTime() - began);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  /**
   * Waits for a lock, on when interrupted; the interrupt is kept.
   *
   * @return whether the calling thread has it now
   */
  public static boolean lock(Lock lock, long nanos) {
    long began = System.nanoTime();
    boolean interrupted = false;
    boolean locked = false;
    long left = nanos;
    while (!locked && left > 0) {
      try {
        locked = lock.tryLock(left, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = nanos - (System.nanoTime() - began);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return locked;
  }
}
