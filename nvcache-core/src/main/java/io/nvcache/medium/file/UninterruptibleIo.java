// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.background.DaemonThread;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Work on a channel where no interrupt reaches it. One that meets a thread inside of it, or on its
 * way in, closes the channel; a file's lock goes with it, and nothing can be wiped through it any
 * more.
 *
 * <p>Each piece of work has its own thread: one that hangs holds up no other file's. The caller
 * waits until it is done, and stays interrupted if it was interrupted.
 */
public final class UninterruptibleIo {
  /** Something that reads or writes a file. */
  @FunctionalInterface
  public interface Work {
    void run() throws IOException;
  }

  private UninterruptibleIo() {}

  /** Returns when the work is done, and throws what it throws. */
  static void run(Work work) throws IOException {
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              work.run();
              return true;
            });
    boolean interrupted = begin(task);
    try {
      await(task, Long.MAX_VALUE, () -> false);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits for work of another thread, and throws what it throws. The caller's interrupt stays.
   *
   * @param nanos after which to ask whether to give up, and again after each as many
   * @param givesUp whether to leave the work to itself; if not, it is waited for
   * @return false if it was left to itself
   */
  public static boolean await(Future<Boolean> work, long nanos, BooleanSupplier givesUp)
      throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return work.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          if (givesUp.getAsBoolean()) {
            return false;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw asThrown(Objects.requireNonNull(e.getCause()));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns whether the calling thread was interrupted, and is not any more. */
  private static boolean begin(FutureTask<Boolean> task) {
    Thread thread = DaemonThread.of("nvcache-file", task);
    try {
      thread.start();
      return false;
    } catch (OutOfMemoryError e) {
      // There are no threads left. Better here, where an interrupt may come, than not at all.
      boolean interrupted = Thread.interrupted();
      task.run();
      return interrupted;
    }
  }

  private static IOException asThrown(Throwable failure) {
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return (IOException) failure;
  }
}
