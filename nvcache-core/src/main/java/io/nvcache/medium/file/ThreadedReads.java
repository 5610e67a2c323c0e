// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.background.DaemonThread;
import io.nvcache.medium.ReadBatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Makes the reads of a batch by the calling thread and as many of a few others as have nothing to
 * do: while all of them are busy, so is the drive, and one thread is as good. They end when there
 * was nothing to do for a while.
 */
final class ThreadedReads implements BatchReads {
  /** Besides the calling thread. */
  static final int THREADS = 7;

  private static final int IDLE_SECONDS = 30;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          DaemonThread.named("nvcache-reads"),
          new ThreadPoolExecutor.DiscardPolicy());

  @Override
  public int atOnce() {
    return THREADS + 1;
  }

  @Override
  public void read(ReadBatch batch, DirectFile file) {
    Turn turn = new Turn(batch, file);
    try {
      for (int i = 1; i < Math.min(batch.size(), atOnce()); i++) {
        threads.execute(turn);
      }
    } catch (OutOfMemoryError noThread) {
      // Those that there are do it.
    }
    try {
      turn.run();
    } finally {
      turn.await();
    }
  }

  @Override
  public String describe() {
    return "up to " + atOnce() + " threads";
  }

  @Override
  public void close() {
    threads.shutdown();
  }

  /** The reads of one batch, which the threads take one after another. */
  private static final class Turn implements Runnable {
    private final ReadBatch batch;
    private final DirectFile file;
    private final int size;
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger left;

    Turn(ReadBatch batch, DirectFile file) {
      this.batch = batch;
      this.file = file;
      this.size = batch.size(); // A thread that comes late must not look at the batch.
      this.left = new AtomicInteger(size);
    }

    @Override
    public void run() {
      for (int i = next.getAndIncrement(); i < size; i = next.getAndIncrement()) {
        try {
          file.readOne(batch, i);
        } catch (Error notRead) {
          // A read of this one alone meets it again, on the thread that wants it.
        } finally {
          if (left.decrementAndGet() == 0) {
            LockSupport.unpark(caller);
          }
        }
      }
    }

    /** Waits for the reads that others have taken. */
    void await() {
      boolean interrupted = false;
      while (left.get() > 0) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
