// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.background.SafeLog;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.FileIdentities;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.read.MediumFailureHandler;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.DurableRegions;
import io.nvcache.internal.space.RegionAllocator;
import io.nvcache.internal.space.RegionSpace;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done beside the pieces of the log so that the next cache finds the blocks, and to find
 * those of the one before. A footer that can't be written costs a region its restart, and nothing
 * now.
 *
 * <p>Used by one thread at a time, except {@link #keepRevocations} and what a superblock is made
 * of.
 */
public final class DurableWork implements DurableRegions.Kept {
  private static final Logger LOG = LoggerFactory.getLogger(DurableWork.class);

  private final DurableRegions regions;
  private final FileTable files;
  private final RegionSpace space;
  private final RegionAllocator allocator;
  private final RegionRecords records;
  private final @Nullable RegionRestore restore;
  private final WriteGovernor governor;
  private final StripedCounters counters;
  private final MediumGuard guard;
  private final MediumFailureHandler mediumFailures;

  /**
   * Makes the work.
   *
   * @param restore null if there is nothing to restore
   */
  public DurableWork(
      BlockTables tables,
      FileIdentities identities,
      DurableRegions regions,
      @Nullable RegionRestore restore,
      WriteGovernor governor,
      StripedCounters counters,
      MediumGuard guard,
      MediumFailureHandler mediumFailures) {
    this.regions = regions;
    this.files = tables.files();
    this.space = Objects.requireNonNull(tables.regions());
    this.allocator = space.allocator();
    this.records = new RegionRecords(tables, space, identities, regions);
    this.restore = restore;
    this.governor = governor;
    this.counters = counters;
    this.guard = guard;
    this.mediumFailures = mediumFailures;
  }

  @Override
  public long daySpareBytes() {
    return governor.daySpareBytes();
  }

  @Override
  public int nextFileNumber() {
    return files.nextNumber();
  }

  /** Returns whether there may be more to restore. */
  boolean isRestoring() {
    return restore != null && restore.isActive();
  }

  void restoreNext() {
    if (restore != null) {
      restore.step();
    }
  }

  /** To be called before a piece is written. Returns the bytes written. */
  int begin() throws IOException {
    records.takeDown(allocator.chunkBytes());
    int written = regions.open(this);
    governor.charge(written);
    return written;
  }

  /** To be called after a piece was written. */
  void endRegion() {
    if (allocator.hasFlushedRegion()) {
      count(records::seal);
    }
  }

  /** A lack of memory is tried again, as any failure is: what was revoked must be written. */
  @Override
  public void writeFailed(Throwable failure) {
    try {
      mediumFailures.writeFailed(failure, counters.stripe());
    } catch (VirtualMachineError lack) {
      SafeLog.warn(LOG, "a superblock could not be written: {}; {}", lack, "it is tried again");
    }
  }

  /** Has the medium know of all that was revoked, as far as it does not. */
  public void keepRevocations() {
    if (regions.keptRevocations() < regions.revocations()) {
      count(() -> regions.keepRevocations(this));
    }
  }

  /**
   * If the cache has begun to write, writes the beginning of the last piece, the footer of its
   * region, and a superblock. A medium that an operator took out of service is none that failed.
   */
  void finish() {
    if (allocator.isHeld() || (guard.isOut() && !guard.isOutByHand())) {
      return;
    }
    count(
        () -> {
          int written = 0;
          int pending = allocator.pendingBytes();
          if (pending > 0) {
            records.takeDown(pending);
            written += regions.open(this) + space.flushBeginning(pending);
          }
          if (records.isOpen()) {
            written += records.seal();
          }
          return written + regions.close(this);
        });
  }

  private interface Writing {
    int write() throws IOException;
  }

  private void count(Writing writing) {
    int stripe = counters.stripe();
    try {
      int written = writing.write();
      governor.charge(written);
      counters.add(stripe, Counter.DEVICE_WRITTEN_BYTES, written);
    } catch (IOException | RuntimeException | Error failure) {
      mediumFailures.writeFailed(failure, stripe);
    }
  }
}
