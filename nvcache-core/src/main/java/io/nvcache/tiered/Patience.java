// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** A bound on how long a call waits for others, by a clock that need not be real. */
final class Patience {
  /** Between two looks at the clock. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final long nanos;
  private final LongSupplier nanoTime;
  private final long began;

  Patience(long nanos, LongSupplier nanoTime) {
    this.nanos = nanos;
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
  }

  /** Waits for something to be over, however it ends; false if it takes too long. */
  boolean await(CompletableFuture<?> end) throws InterruptedException {
    while (!end.isDone()) {
      long left = nanos - (nanoTime.getAsLong() - began);
      if (left <= 0) {
        return false;
      }
      try {
        end.get(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS);
      } catch (TimeoutException notYet) {
        // Looks at the clock.
      } catch (ExecutionException over) {
        return true;
      }
    }
    return true;
  }

  /** Waits on when interrupted, and stays so. */
  boolean awaitUninterruptibly(CompletableFuture<?> end) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return await(end);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public String toString() {
    return TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
  }
}
