// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.format.Lane;
import io.nvcache.writelog.pages.PendingPages;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The room in the lanes: gives it to writers, lets them wait for more, and has the drain begin
 * before it ends.
 *
 * <p>Who waits holds no lock, so the drain, which frees room, never waits for a writer that waits.
 */
final class LogRoom {
  /** A drain begins when this part of a lane, of the pages or of the slots waits for it. */
  private static final int WAKE_FRACTION = 4;

  private final LogEngine engine;
  private final Drain drain;
  private final ReentrantLock spaceLock = new ReentrantLock();
  private final Condition spaceFreed = spaceLock.newCondition();
  private volatile Runnable wake = () -> {};

  LogRoom(LogEngine engine, Drain drain) {
    this.engine = engine;
    this.drain = drain;
  }

  /** Sets what a writer calls when a drain should begin soon. */
  void onWork(Runnable action) {
    wake = action;
  }

  /** Returns a lane with room for a record, held; null if the log is full. */
  @Nullable Lane acquireLane(int payload) {
    Lane[] lanes = engine.lanes();
    int first = (int) (Thread.currentThread().getId() % lanes.length);
    Lane busy = null;
    for (int i = 0; i < lanes.length; i++) {
      Lane lane = lanes[first + i < lanes.length ? first + i : first + i - lanes.length];
      if (lane.tryAcquire()) {
        if (lane.fits(payload)) {
          return lane;
        }
        lane.release();
      } else if (busy == null && lane.fits(payload)) {
        busy = lane;
      }
    }
    if (busy != null && drain.mayWait()) {
      busy.acquire();
      if (busy.fits(payload)) {
        return busy;
      }
      busy.release();
    }
    return null;
  }

  /** Has a drain begin soon if a lane fills. */
  void appended(Lane lane) {
    if (isFilling(lane)) {
      wake.run();
    }
  }

  /** Has a drain begin soon if few slots are free. */
  void entered(int freeSlots) {
    if (freeSlots < engine.layout().fileSlots() / WAKE_FRACTION) {
      wake.run();
    }
  }

  private static boolean isFilling(Lane lane) {
    return lane.head() - lane.tail() > lane.region().bytes() / WAKE_FRACTION;
  }

  /** Returns whether writers may soon wait for room. */
  boolean isFilling() {
    PendingPages pages = engine.pages();
    for (Lane lane : engine.lanes()) {
      if (isFilling(lane)) {
        return true;
      }
    }
    // Files that are open keep their slots, whatever a drain does.
    OpenFiles files = engine.openFiles();
    int waiting = files.drainableSlots();
    return waiting > (waiting + files.freeSlots()) / WAKE_FRACTION
        || (pages != null && pages.used() > pages.capacity() / WAKE_FRACTION);
  }

  /**
   * Waits until there may be room. The caller holds no lock.
   *
   * @param deadlineNanos of {@link System#nanoTime}
   */
  void awaitSpace(int payload, long deadlineNanos) throws IOException {
    engine.figures().waits.increment();
    wake.run();
    if (drain.tryRun()) {
      return;
    }
    PendingPages pages = engine.pages();
    spaceLock.lock();
    try {
      if (System.nanoTime() - deadlineNanos >= 0) {
        throw new IOException(
            "the write log is full: "
                + LogFigures.pendingBytes(engine)
                + " of "
                + LogFigures.capacityBytes(engine)
                + " bytes wait for the disk"
                + (pages == null ? "" : ", in " + pages.used() + " pages")
                + (engine.openFiles().freeSlots() > 0 ? "" : ", no file slot is free")
                + ", and none became free in "
                + engine.settings().spaceTimeoutNanos() / 1_000_000
                + " ms; see why the drain makes no progress, or make the log longer");
      }
      waitForSpace();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      Thread.onSpinWait(); // Tried again by the caller until the deadline.
    } finally {
      spaceLock.unlock();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the caller tries again in any case
  private void waitForSpace() throws InterruptedException {
    boolean unused = spaceFreed.awaitNanos(Drain.RETRY_NANOS) > 0;
  }

  /** Wakes the writers that wait. */
  void freed() {
    spaceLock.lock();
    try {
      spaceFreed.signalAll();
    } finally {
      spaceLock.unlock();
    }
  }
}
