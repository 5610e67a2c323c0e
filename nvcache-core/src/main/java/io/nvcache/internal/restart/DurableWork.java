// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.regions.AppendLog;
import io.nvcache.internal.regions.RegionSpace;
import io.nvcache.internal.regions.RestartWork;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The work, apart from writing the pieces of the log, that lets the next cache find the blocks, and
 * that finds the blocks of the one before. A footer that can't be written costs a region its
 * restart, and nothing now.
 *
 * <p>Used by one thread at a time, except {@link #keepRevocations}.
 */
public final class DurableWork implements RestartWork {
  private final DurableRegions regions;
  private final RegionSpace space;
  private final AppendLog log;
  private final RegionRecords records;
  private final @Nullable RegionRestore restore;
  private final RestartBooks books;
  private final MediumGuard guard;

  /**
   * Makes the work.
   *
   * @param restore null if there is nothing to restore
   * @param books of what is written
   */
  public DurableWork(
      DurableRegions regions,
      RegionSpace space,
      RegionRecords records,
      @Nullable RegionRestore restore,
      RestartBooks books,
      MediumGuard guard) {
    this.regions = regions;
    this.space = space;
    this.log = space.log();
    this.records = records;
    this.restore = restore;
    this.books = books;
    this.guard = guard;
  }

  @Override
  public boolean isRestoring() {
    return restore != null && restore.isActive();
  }

  @Override
  public void restoreNext() {
    if (restore != null) {
      restore.step();
    }
  }

  @Override
  public int begin() throws IOException {
    records.takeDown(log.chunkBytes());
    int written = regions.open(books);
    books.charge(written);
    return written;
  }

  @Override
  public void endRegion() {
    if (log.hasFlushedRegion()) {
      books.count(records::seal);
    }
  }

  @Override
  public int blank(int region) throws IOException {
    return regions.blank(region);
  }

  /** Any thread may call this. */
  @Override
  public void keepRevocations() {
    if (regions.keptRevocations() < regions.revocations()) {
      books.count(() -> regions.keepRevocations(books));
    }
  }

  /**
   * If the cache has begun to write, writes the beginning of the last piece, the footer of its
   * region, and a superblock. A medium that an operator took out of service is none that failed.
   */
  @Override
  public void finish() {
    if (log.table().awaitsRestore() || (guard.isOut() && !guard.isDisabled())) {
      return;
    }
    books.count(
        () -> {
          int written = 0;
          int pending = log.pendingBytes();
          if (pending > 0) {
            records.takeDown(pending);
            written += regions.open(books) + space.flushBeginning(pending);
          }
          if (records.isOpen()) {
            written += records.seal();
          }
          return written + regions.close(books);
        });
  }
}
