// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import io.nvcache.background.DaemonThread;
import io.nvcache.medium.file.UninterruptibleIo;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Writes to a drive, and asks it, on a thread that may be left behind: a drive that does not answer
 * must not hold up threads that write to the others as well.
 */
final class DriveThread implements AutoCloseable {
  private final ExecutorService thread;
  private final AtomicInteger inside = new AtomicInteger();

  DriveThread(int number) {
    this.thread = Executors.newSingleThreadExecutor(DaemonThread.named("nvcache-drive-" + number));
  }

  /**
   * Returns when the work is done, and throws what it throws. The caller's interrupt stays.
   *
   * @param nanos after which to ask whether to give up, and again after each as many
   * @param givesUp whether to leave the work to itself; if not, it is waited for
   * @return false if it was left to itself
   */
  boolean run(UninterruptibleIo.Work work, long nanos, BooleanSupplier givesUp) throws IOException {
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              try {
                work.run();
                return true;
              } finally {
                inside.getAndDecrement();
              }
            });
    inside.getAndIncrement();
    begin(task);
    return UninterruptibleIo.await(task, nanos, givesUp);
  }

  private void begin(FutureTask<Boolean> task) {
    try {
      thread.execute(task);
    } catch (OutOfMemoryError noMoreThreads) {
      task.run();
    }
  }

  /** Returns whether no work is under way, left to itself or not. */
  boolean isIdle() {
    return inside.get() == 0;
  }

  /** Ends the thread once it is idle. */
  @Override
  public void close() {
    thread.shutdown();
  }
}
