// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.background.DaemonThread;
import io.nvcache.writelog.disk.DiskFile;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Syncs a file while the drain still writes a batch to it, so that the disk does not wait for the
 * processor. The drain's own sync comes after it and makes the batch durable; this one only leaves
 * it less to do.
 *
 * <p>One sync at a time. Linux reports a failure once, to whichever sync comes first, so one of
 * these is as good as the drain's own: {@link #end} throws it.
 *
 * <p>For one thread at a time, which is the drain's.
 */
final class SyncAhead {
  /** Enough that a disk can order them, and few compared with a batch. */
  private static final int MOST_PAGES = 1024;

  private static final int SYNCS_OF_A_BATCH = 8;
  private static final long IDLE_SECONDS = 10;

  private final Executor executor;
  private final int pagesOfASync;
  private final Semaphore running = new Semaphore(1);
  private @Nullable DiskFile file;

  /** That were written since the last sync began. */
  private int pages;

  private volatile @Nullable Exception failure;

  /**
   * Syncs nothing yet.
   *
   * @param executor of the syncs
   * @param batchRecords that a round of the drain takes at most
   */
  SyncAhead(Executor executor, int batchRecords) {
    this.executor = executor;
    this.pagesOfASync = Math.max(1, Math.min(MOST_PAGES, batchRecords / SYNCS_OF_A_BATCH));
  }

  /** Returns an executor with one thread, which ends when there is nothing to do. */
  static Executor ownThread() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            DaemonThread.named("nvcache-write-log-sync"));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** The drain begins to write to a file. {@link #end} must follow. */
  void begin(DiskFile of) {
    file = of;
    pages = 0;
    failure = null;
  }

  /** The drain is about to write so many more pages; of a file that was {@link #begin begun}. */
  void beforeWrite(int morePages) {
    DiskFile of = file;
    if (of != null && pages >= pagesOfASync && failure == null && running.tryAcquire()) {
      pages = 0;
      try {
        executor.execute(() -> sync(of));
      } catch (OutOfMemoryError noThread) {
        running.release(); // The drain's own sync brings all to the disk.
      }
    }
    pages += morePages;
  }

  private void sync(DiskFile of) {
    try {
      of.forceData();
    } catch (IOException | RuntimeException e) {
      failure = e;
    } finally {
      running.release();
    }
  }

  /**
   * Returns once no sync runs.
   *
   * @throws IOException if one failed
   */
  void end() throws IOException {
    file = null;
    running.acquireUninterruptibly();
    running.release();
    Exception why = failure;
    if (why != null) {
      throw new IOException("a sync failed while the file was written: " + why, why);
    }
  }
}
