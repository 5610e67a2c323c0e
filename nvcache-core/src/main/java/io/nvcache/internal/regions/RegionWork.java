// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.background.Ending;
import io.nvcache.background.Waiting;
import io.nvcache.internal.background.Maintenance;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The work that regions need apart from the calls: writes what was appended to the medium, in
 * order, and keeps some regions free. No call waits for it: without a free place in the buffer an
 * offer is refused.
 *
 * <p><b>Threads.</b> One at a time works: its own thread, or, where the cache's owner maintains it,
 * the caller who finds no room, unless another one is at it.
 */
public final class RegionWork implements Ending {
  private final AppendLog log;
  private final LogFlush flush;
  private final RegionReclaim reclaim;
  private final RegionDiscard discard;
  private final LostRegions lost;
  private final RestartWork restart;
  private final Maintenance thread;
  private final ReentrantLock working = new ReentrantLock();
  private volatile boolean ended;

  /**
   * Makes the work.
   *
   * @param thread calls {@link #run}
   */
  public RegionWork(
      AppendLog log,
      LogFlush flush,
      RegionReclaim reclaim,
      RegionDiscard discard,
      LostRegions lost,
      RestartWork restart,
      Maintenance thread) {
    this.log = log;
    this.flush = flush;
    this.reclaim = reclaim;
    this.discard = discard;
    this.lost = lost;
    this.restart = restart;
    this.thread = thread;
  }

  /** Begins to work in the background; an earlier cache's blocks are waited for. */
  public void start() {
    thread.start(this::run);
    thread.wake();
  }

  /** A block was appended, and is in the index or given up: there may be a piece to write. */
  void appended() {
    if (log.wantsFlush() || log.table().wanted() > 0) {
      thread.wake();
    }
  }

  /** There was no room: makes some at once if that is left to the callers. */
  boolean makeRoom() {
    if (thread != Maintenance.BY_CALLER) {
      thread.wake();
      return false;
    }
    return work();
  }

  /** Works in the calling thread, unless there is another for it. */
  void maintain() {
    if (thread == Maintenance.BY_CALLER) {
      run();
    } else {
      thread.wake(); // Files may be gone that had regions for themselves.
    }
  }

  /** Does what there is to do now. */
  private void run() {
    while (work() && restart.isRestoring()) {
      // Once for each region that is restored.
    }
    lost.maintain();
    discard();
  }

  /** Never in a caller's call, which may wait for no drive that erases. */
  private void discard() {
    if (!discard.isOn() || !begin()) {
      return;
    }
    try {
      discard.run(flush::run);
    } finally {
      working.unlock();
    }
  }

  /** Returns whether the calling thread is the one to work now; it must unlock then. */
  private boolean begin() {
    if (working.isHeldByCurrentThread() || !working.tryLock()) {
      return false;
    }
    if (ended) {
      working.unlock();
      return false;
    }
    return true;
  }

  private boolean work() {
    if (!begin()) {
      return false;
    }
    try {
      flush.run();
      if (restart.isRestoring()) {
        restart.restoreNext(); // What is to be reclaimed is not known before.
      } else {
        if (lost.run()) {
          reclaim.chooseAgain();
        }
        reclaim.run(flush::run);
        flush.run();
      }
      restart.keepRevocations();
      return true;
    } finally {
      working.unlock();
    }
  }

  @Override
  public void end() {
    ended = true;
    thread.end();
  }

  /**
   * Waits for the thread that works: where the owner maintains the cache, no other wait includes
   * it, and it touches what is freed next.
   */
  @Override
  public boolean awaitEnd(long nanos) {
    return thread.awaitEnd(nanos) && Waiting.untilFree(working, nanos);
  }

  /**
   * Writes what is left for the next cache, after {@link #awaitEnd}, and once no call is inside.
   */
  public void finish() {
    restart.keepRevocations(); // First, and whatever becomes of the blocks.
    flush.run();
    restart.finish();
  }
}
