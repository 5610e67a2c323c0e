// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.background.Ending;
import io.nvcache.background.Waiting;
import io.nvcache.internal.background.Maintenance;
import io.nvcache.medium.DriveSet;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Has drives that are lost taken back, apart from the work that regions need: a file that is new is
 * filled first, which may take an hour, and the other drives are written all the while.
 *
 * <p><b>Threads.</b> One at a time works: its own thread, which is there once a drive is asked
 * back, or, where the cache's owner maintains it, the caller. When the cache is closed its own
 * thread is interrupted, which gives up a file that is being filled.
 */
public final class DriveReturn implements Ending {
  private static final int NONE = -1;

  private final DriveSet drives;
  private final Maintenance thread;
  private final ReentrantLock working = new ReentrantLock();

  // Under the monitor.
  private final BitSet wanted = new BitSet();
  private @Nullable Thread worker;
  private boolean ended;

  /**
   * Makes the work.
   *
   * @param thread does it, if it is not left to the callers
   */
  public DriveReturn(DriveSet drives, Maintenance thread) {
    this.drives = drives;
    this.thread = thread;
  }

  /** Has drives be taken back soon, on which nothing is in use. */
  void want(BitSet unused) {
    synchronized (this) {
      wanted.or(unused);
    }
    thread.start(this::run);
    thread.wake();
  }

  /** Works in the calling thread, unless there is another for it. */
  void maintain() {
    if (thread == Maintenance.BY_CALLER) {
      run();
    }
  }

  private void run() {
    if (working.isHeldByCurrentThread() || !working.tryLock()) {
      return;
    }
    try {
      for (int drive = next(); drive != NONE; drive = next()) {
        drives.takeBack(drive);
      }
    } finally {
      setWorker(null);
      working.unlock();
    }
  }

  private synchronized void setWorker(@Nullable Thread its) {
    worker = its;
  }

  /** Returns a drive that is wanted back, and forgets that it is; or none. */
  private synchronized int next() {
    int drive = ended ? NONE : wanted.nextSetBit(0);
    if (drive != NONE) {
      wanted.clear(drive);
      worker = Thread.currentThread();
    }
    return drive;
  }

  @Override
  public void end() {
    thread.end();
    synchronized (this) {
      ended = true;
      if (worker != null && thread != Maintenance.BY_CALLER) {
        worker.interrupt();
      }
    }
  }

  @Override
  public boolean awaitEnd(long nanos) {
    return thread.awaitEnd(nanos) && Waiting.untilFree(working, nanos);
  }
}
