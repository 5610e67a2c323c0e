// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * The syncs of one file. After one that failed the next may lie, as on Linux, so it is not believed
 * before the log has written the file again.
 */
final class FileSyncs {
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

  FileSyncs(LoggedFile file) {
    this.file = file;
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
    } finally {
      end();
    }
  }

  /**
   * Brings what the log holds to the disk. Between {@link #tryBegin} and {@link #end}.
   *
   * @throws IOException if that fails, or failed before and was not repaired since
   */
  void forceData() throws IOException {
    run(DiskFile::forceData);
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
   */
  void carry(PageWriter writer, long[] keys, long[] ends) throws IOException {
    long id = file.id();
    if (suspect || id == 0) {
      return; // A repair writes all.
    }
    suspect = true; // What a failed write left half done must be written again.
    writer.write(file.file(), FileTable.slotOf(id), keys, ends);
    suspect = false;
  }

  /** Writes what the log holds again. The caller holds the file, syncs it, and drains. */
  void repair(LogEngine engine) throws IOException {
    Repair.run(engine, file);
    suspect = false;
  }
}
