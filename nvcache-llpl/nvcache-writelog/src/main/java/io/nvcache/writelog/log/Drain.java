// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.background.Waiting;
import io.nvcache.writelog.format.Lane;
import io.nvcache.writelog.format.LogScan;
import io.nvcache.writelog.format.LogScan.Cursor;
import io.nvcache.writelog.format.Orphan;
import io.nvcache.writelog.pages.PageWriter;
import io.nvcache.writelog.pages.PendingPages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brings what is deferred to the page cache, syncs the files that have records, and gives the
 * records' room back, in this order: the files, the names of created ones, the drained number, the
 * tails of the lanes; only then may the room be used again. One thread at a time.
 *
 * <p>Deferred writes are taken in batches, by their places in the files. A page may be given newer
 * bytes than the batch has, because the log holds those as well.
 *
 * <p>A file whose sync fails is written again from the log, for Linux takes its pages for clean
 * then. If that fails too, its bytes go to the orphans, the file is sick, and the others continue.
 */
final class Drain {
  /** How long who needs a drain waits before another try. */
  static final long RETRY_NANOS = 1_000_000;

  private static final long[] NO_KEYS = {};

  private final LogEngine engine;
  private final Semaphore running = new Semaphore(1);
  private final @Nullable PageWriter writer;
  private final @Nullable SyncAhead ahead;
  private volatile @Nullable Throwable failure;

  Drain(LogEngine engine) {
    this.engine = engine;
    PendingPages pages = engine.pages();
    if (pages == null) {
      this.ahead = null;
      this.writer = null;
      return;
    }
    SyncAhead syncs =
        new SyncAhead(
            mayWait() ? SyncAhead.ownThread() : Runnable::run, engine.settings().batchRecords());
    this.ahead = syncs;
    this.writer =
        new PageWriter(
            pages,
            pagesOfAWrite -> {
              engine.heartbeat();
              syncs.beforeWrite(pagesOfAWrite);
            });
  }

  @Nullable Throwable failure() {
    return failure;
  }

  /** Returns whether a thread that holds a file may wait for a lane; in a crash test none may. */
  boolean mayWait() {
    return engine.settings().spaceTimeoutNanos() > 0;
  }

  /** Returns whether no round is under way, or the one that was ended in time. */
  boolean awaitRound(long nanos) {
    boolean ended = Waiting.acquire(running, nanos);
    if (ended) {
      running.release();
    }
    return ended;
  }

  /** Returns whether room was freed; false also if another thread drains. */
  boolean tryRun() {
    if (!running.tryAcquire()) {
      return false;
    }
    try {
      return round();
    } finally {
      running.release();
    }
  }

  /** Waits for another thread that drains, then drains. */
  void run(long deadlineNanos) throws IOException {
    try {
      if (!running.tryAcquire(
          Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      running.acquireUninterruptibly();
    }
    try {
      if (!round()) {
        Thread.onSpinWait();
      }
    } finally {
      running.release();
    }
  }

  private boolean round() {
    try {
      engine.requireMemory();
      long seq = engine.applied();
      PendingPages pages = engine.pages();
      if (pages != null) {
        seq = Math.min(seq, engine.drainedSeq() + engine.settings().batchRecords());
      }
      if (seq <= engine.drainedSeq()) {
        return engine.openFiles().closeIdle(); // Who held the names kept the last round from it.
      }
      long[] tails = tailsAfter(seq);
      List<LoggedFile> synced = new ArrayList<>();
      long[] keys = pages == null ? NO_KEYS : pages.between(tails(), tails);
      for (LoggedFile file : engine.files()) {
        if (file.lastSeq() <= file.syncs().syncedSeq() && !file.syncs().isSuspect()) {
          continue;
        }
        if (!file.syncs().tryBegin()) {
          return false; // A caller of force does. The next round comes.
        }
        try {
          sync(file, seq, keys, tails);
          synced.add(file);
        } finally {
          file.syncs().end();
        }
      }
      engine.requireMemory(); // Syncs may take longer than who closes the log waits.
      advance(seq, tails, keys);
      engine.nameLook().afterRound(synced);
      boolean unused = engine.openFiles().closeIdle();
      engine.figures().drains.increment();
      failure = null;
      return true;
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      engine.figures().drainFailures.increment();
      failure = e;
      heartbeatAfter(e);
      return false;
    } finally {
      engine.room().freed();
    }
  }

  private void sync(LoggedFile file, long seq, long[] keys, long[] tails) throws IOException {
    if (file.sickness() != null) {
      return; // What it had is with the orphans.
    }
    try {
      engine.figures().syncs.increment();
      if (writer != null && ahead != null && keys.length > 0) {
        file.syncs().carry(writer, keys, tails, ahead);
      }
      file.syncs().forceData();
    } catch (IOException e) {
      engine.figures().drainFailures.increment();
      repair(file, e); // Or a later round does: the file stays suspect.
    }
    if (file.sickness() == null) {
      file.syncs().syncName();
    }
    file.syncs().synced(Math.max(file.syncs().syncedSeq(), seq));
  }

  /** Writes all that the log holds of a file again, or saves it. */
  private void repair(LoggedFile file, IOException cause) throws IOException {
    boolean isHeldHere = file.isSettledByThisThread();
    if (!isHeldHere && !file.tryLock()) {
      throw new IOException("can't repair " + file.path() + " while it is written", cause);
    }
    try {
      file.syncs().repair();
      engine.figures().repairs.increment();
    } catch (IOException e) {
      e.addSuppressed(cause);
      engine.requireMemory(); // A log that was closed has closed its files, and may be another's.
      long bytes = save(file);
      engine.figures().orphanBytes.add(bytes);
      file.sicken(
          file.path()
              + " can't be written any more: "
              + e
              + "; "
              + bytes
              + " bytes that were acknowledged are in "
              + engine.settings().orphans()
              + ": repair the disk, apply them with nvcache log apply, and open the file again");
    } finally {
      if (!isHeldHere) {
        file.unlock();
      }
    }
  }

  private long save(LoggedFile file) throws IOException {
    long bytes = 0;
    try (Orphan orphan =
        Orphan.create(
            engine.disk(),
            engine.settings().orphans(),
            engine.layout(),
            engine.epoch(),
            file.id(),
            file.path().toString())) {
      LogScan scan = engine.scan();
      for (Cursor at = scan.nextChange(); at != null; at = scan.nextChange()) {
        if (at.fileId() == file.id()) {
          bytes += orphan.add(at);
        }
      }
      orphan.finish();
    }
    return bytes;
  }

  private long[] tails() {
    Lane[] lanes = engine.lanes();
    long[] tails = new long[lanes.length];
    for (Lane lane : lanes) {
      tails[lane.index()] = lane.tail();
    }
    return tails;
  }

  private long[] tailsAfter(long seq) {
    Lane[] lanes = engine.lanes();
    long[] tails = new long[lanes.length];
    for (Lane lane : lanes) {
      tails[lane.index()] = lane.tailAfter(seq);
    }
    return tails;
  }

  /** The log's memory may be what failed: then nothing can say that the log lives. */
  private void heartbeatAfter(Throwable failed) {
    try {
      engine.heartbeat();
    } catch (IOException e) {
      if (e != failed) {
        failed.addSuppressed(e);
      }
    }
  }

  private void advance(long seq, long[] tails, long[] keys) throws IOException {
    engine.state().advance(seq, engine.clockMillis(), tails);
    PendingPages pages = engine.pages();
    if (pages != null) {
      pages.trim(keys, tails); // Before a file's slot may go to another one.
    }
    engine.drained(seq);
    for (Lane lane : engine.lanes()) {
      lane.free(tails[lane.index()]);
    }
  }
}
