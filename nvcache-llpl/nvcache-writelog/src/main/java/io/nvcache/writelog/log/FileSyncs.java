// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.pages.PageWriter;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The syncs of one file, and of its name. After one that failed the next may lie, as on Linux, so
 * it is not believed before the log has written the file again: the file is suspect from before
 * each sync until it returns without a failure, or {@link #repair} has written and synced it.
 *
 * <p>One thread at a time syncs a file, the drain or a caller of {@code force}: between {@link
 * #tryBegin} and {@link #end}, or within {@link #force}. It alone writes the state here, except
 * where a field says otherwise; any thread may read it.
 */
final class FileSyncs {
  private final LogEngine engine;
  private final LoggedFile file;

  /**
   * Taken after the file's lock, if both are. Of two syncs at a time, Linux lets only one know of a
   * failure.
   */
  private final Semaphore syncing = new Semaphore(1);

  /** Up to here all is on the disk; written by the drain. */
  private volatile long syncedSeq;

  /** Whether a sync failed: the next may lie, so what is in the log has to be written again. */
  private volatile boolean suspect;

  /**
   * Whether the file may hold bytes that never were in the log and that no sync brought to the
   * disk: what was copied, came by {@code java.io}, or was there before the log.
   */
  private volatile boolean foreign;

  /** Whether a sync failed that would have brought such bytes to the disk, and no program knows. */
  private volatile boolean foreignLost;

  /** Whether the program made the file, and no sync its name; written under the file's lock. */
  private volatile boolean nameIsNew;

  /** Knows of no sync; a file that was created by the log holds its bytes alone. */
  FileSyncs(LogEngine engine, LoggedFile file, boolean created) {
    this.engine = engine;
    this.file = file;
    this.foreign = !created;
    this.nameIsNew = created;
  }

  /** Returns whether the program made the file, and its name may be lost with the power. */
  boolean isNameNew() {
    return nameIsNew;
  }

  /** The file has got another name, which is durable before the file is let go. */
  void renamed() {
    nameIsNew = false;
  }

  /** Makes the name of a created file durable, unless its changes go past the log. */
  void syncName() throws IOException {
    if (nameIsNew && !file.hasLeft()) {
      try {
        engine.syncDirectories(file.path());
      } catch (NoSuchFileException e) {
        if (file.isAtItsName()) {
          throw e;
        }
        // Its directory was deleted or renamed past the log, and the name went with it. What is
        // gone is no reason to hold the other files up.
      }
      nameIsNew = false;
    }
  }

  long syncedSeq() {
    return syncedSeq;
  }

  void synced(long seq) {
    syncedSeq = seq;
  }

  boolean isSuspect() {
    return suspect;
  }

  boolean isHeld() {
    return syncing.availablePermits() == 0;
  }

  /** Returns whether no other thread syncs the file; {@link #end} must follow then. */
  boolean tryBegin() {
    return syncing.tryAcquire();
  }

  void end() {
    syncing.release();
  }

  /** Waits for other syncs, and brings the file to the disk for a program that asks for it. */
  void force() throws IOException {
    syncing.acquireUninterruptibly();
    try {
      run(DiskFile::force);
      foreign = false;
    } finally {
      end();
    }
  }

  /** Returns whether a sync has to reach the disk, whatever the log holds. */
  boolean isForeign() {
    return foreign;
  }

  /** Returns whether {@link #reportLoss} fails, so that the file has to be found until then. */
  boolean hasLossToReport() {
    return foreignLost;
  }

  /**
   * Reports once that a sync of the drain failed, of which no program knew: the log has written its
   * own bytes again, and the system takes all others for clean.
   */
  void reportLoss() throws IOException {
    if (foreignLost) {
      foreignLost = false;
      throw new IOException(
          "a sync of "
              + file.path()
              + " failed, and what was written to it past the log may be lost; what the log had was"
              + " written again");
    }
  }

  /**
   * Brings what the log holds to the disk. Between {@link #tryBegin} and {@link #end}.
   *
   * @throws IOException if that fails, or failed before and was not repaired since
   */
  void forceData() throws IOException {
    boolean isKnown = suspect;
    try {
      run(DiskFile::forceData);
    } catch (IOException e) {
      if (!isKnown) {
        foreignLost = foreign;
      }
      throw e;
    }
  }

  /** A way to sync a file. */
  @FunctionalInterface
  private interface Sync {
    void of(DiskFile file) throws IOException;
  }

  private void run(Sync sync) throws IOException {
    if (suspect) {
      throw new IOException("an earlier sync of " + file.path() + " failed");
    }
    suspect = true;
    sync.of(file.file());
    suspect = false;
  }

  /**
   * Writes deferred bytes to the page cache. Between {@link #tryBegin} and {@link #end}, by the
   * drain.
   *
   * @param ahead syncs what is written already, if it is much
   */
  void carry(PageWriter writer, long[] keys, long[] ends, SyncAhead ahead) throws IOException {
    long id = file.id();
    if (suspect || id == 0) {
      return; // A repair writes all.
    }
    suspect = true; // What a failed write or sync left half done must be written again.
    ahead.begin(file.file());
    try {
      writer.write(file.file(), FileTable.slotOf(id), keys, ends);
    } catch (IOException | RuntimeException | Error e) {
      endAhead(ahead, e);
      throw e;
    }
    endAhead(ahead, null);
    suspect = false;
  }

  /** Ends the syncs ahead, whatever has failed: of two syncs at a time one may lie. */
  private void endAhead(SyncAhead ahead, @Nullable Throwable failed) throws IOException {
    try {
      ahead.end();
    } catch (IOException e) {
      foreignLost = foreign;
      if (failed == null) {
        throw e;
      }
      failed.addSuppressed(e);
    }
  }

  /** Writes what the log holds again. The caller holds the file, syncs it, and drains. */
  void repair() throws IOException {
    Repair.run(engine, file);
    suspect = false;
  }
}
