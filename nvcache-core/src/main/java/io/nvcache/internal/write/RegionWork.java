// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.background.Ending;
import io.nvcache.background.Waiting;
import io.nvcache.internal.background.Maintenance;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.read.MediumFailureHandler;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.remove.SlotScan;
import io.nvcache.internal.space.RegionAllocator;
import io.nvcache.internal.space.RegionSpace;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The work that regions need beside the calls: writes what was appended to the medium, in order,
 * and keeps some regions free. No call waits for it: without a free place in the buffer an offer is
 * refused.
 *
 * <p><b>Threads.</b> One at a time works: a thread of its own, or, where the cache's owner
 * maintains it, the caller who finds no room, unless another one is at it.
 */
public final class RegionWork implements Ending {
  private final RegionSpace space;
  private final RegionAllocator allocator;
  private final RegionReclaim reclaim;
  private final Remover remover;
  private final SlotScan slots;
  private final StripedCounters counters;
  private final MediumFailureHandler mediumFailures;
  private final Maintenance thread;
  private final @Nullable DurableWork durable;
  private final @Nullable RegionDiscard discard;
  private final ReentrantLock working = new ReentrantLock();
  private volatile boolean ended;

  /**
   * Makes the work.
   *
   * @param thread calls {@link #run}
   * @param durable the work that lets the next cache find the blocks; null if there is none
   * @param discard of dead regions; null if they are not discarded
   */
  public RegionWork(
      RegionSpace space,
      RegionReclaim reclaim,
      Remover remover,
      SlotScan slots,
      StripedCounters counters,
      MediumFailureHandler mediumFailures,
      Maintenance thread,
      @Nullable DurableWork durable,
      @Nullable RegionDiscard discard) {
    this.space = space;
    this.allocator = space.allocator();
    this.reclaim = reclaim;
    this.remover = remover;
    this.slots = slots;
    this.counters = counters;
    this.mediumFailures = mediumFailures;
    this.thread = thread;
    this.durable = durable;
    this.discard = discard;
  }

  /** Returns what a block of this length takes of the medium. */
  int spaceBytes(int lengthBytes) {
    return allocator.spaceBytes(lengthBytes);
  }

  /** Puts a block where it was allocated. */
  void put(long location, long hash, ByteBuffer block, int position, int lengthBytes) {
    space.put(location, hash, block, position, lengthBytes);
  }

  /** A block is in the index now, or never will be. */
  void settled(long location, int lengthBytes) {
    allocator.settled(location, lengthBytes);
    if (allocator.wantsFlush() || allocator.wantedRegions() > 0) {
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

  /** Does what there is to do now. */
  public void run() {
    while (work() && durable != null && durable.isRestoring()) {
      // Once for each region that is restored.
    }
    discard();
  }

  /** Never in a caller's call, which may wait for no drive that erases. */
  private void discard() {
    if (discard == null || !begin()) {
      return;
    }
    try {
      discard.run(this::flush);
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
      flush();
      if (durable != null && durable.isRestoring()) {
        durable.restoreNext(); // What is to be reclaimed is not known before.
      } else {
        reclaim.run(this::flush);
        flush();
      }
      if (durable != null) {
        durable.keepRevocations();
      }
      return true;
    } finally {
      working.unlock();
    }
  }

  /** Writes all pieces that are complete. */
  private void flush() {
    while (allocator.wantsFlush()) {
      int stripe = counters.stripe();
      try {
        int begun = durable == null ? 0 : durable.begin();
        counters.add(stripe, Counter.DEVICE_WRITTEN_BYTES, begun + space.flush());
      } catch (NoDirectMemoryException noBuffer) {
        mediumFailures.writeFailed(noBuffer, stripe);
        return; // The piece is as good as it was: the next round tries again.
      } catch (IOException | RuntimeException | Error failure) {
        mediumFailures.writeFailed(failure, stripe);
        if (!drop()) {
          return;
        }
      }
      if (durable != null) {
        durable.endRegion();
      }
    }
  }

  /**
   * The blocks of a piece that could not be written leave before its place is used again; false if
   * the cache was closed before.
   */
  private boolean drop() {
    BlockIndex.Removal inPiece = (key, location) -> allocator.isInNextFlush(location);
    boolean all =
        slots.forEach((slot, key, stripe) -> remover.dropUnwritten(slot, inPiece, stripe));
    if (all) {
      allocator.passDamaged();
    }
    return all;
  }

  /** Returns whether the next cache can find the blocks. */
  public boolean isDurable() {
    return durable != null;
  }

  @Override
  public void end() {
    ended = true;
  }

  /**
   * Waits for the thread that works: where the owner maintains the cache, no other wait includes
   * it, and it touches what is freed next.
   */
  @Override
  public boolean awaitEnd(long nanos) {
    if (working.isHeldByCurrentThread() || !Waiting.lock(working, nanos)) {
      return false;
    }
    working.unlock();
    return true;
  }

  /** Writes what is left, after {@link #awaitEnd}, and once no call is inside. */
  public void finish() {
    if (durable == null) {
      return;
    }
    durable.keepRevocations(); // First, and whatever becomes of the blocks.
    flush();
    durable.finish();
  }
}
