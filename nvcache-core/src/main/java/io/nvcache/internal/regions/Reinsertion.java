// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.settings.WriteGovernor;
import io.nvcache.internal.space.BlockStore;
import io.nvcache.medium.DriveException;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;

/**
 * Writes blocks again that would be lost with their regions, if admission agrees, whose budget they
 * are charged to. The entry stays in its slot and only changes its place, so that to the eviction
 * policy nothing has happened.
 *
 * <p>Used by one thread at a time.
 */
public final class Reinsertion {
  private final BlockIndex index;
  private final RegionSpace space;
  private final AppendLog log;
  private final GuardedAdmission admission;
  private final WriteGovernor governor;
  private final StripedCounters counters;
  private final MediumGuard guard;

  public Reinsertion(
      BlockIndex index,
      RegionSpace space,
      GuardedAdmission admission,
      WriteGovernor governor,
      StripedCounters counters,
      MediumGuard guard) {
    this.index = index;
    this.space = space;
    this.log = space.log();
    this.admission = admission;
    this.governor = governor;
    this.counters = counters;
    this.guard = guard;
  }

  /**
   * Writes the block in a slot again, if it lies in the region that is emptied and is worth it.
   *
   * @param emptied the region
   * @param gain how much more it is worth than what reclaiming drops
   */
  boolean reinserts(int slot, int emptied, int gain, int stripe) {
    long hash = index.hashIn(slot);
    long from = index.location(slot);
    int length =
        log.locations().slotBytes(from) - index.slack(slot); // A guess, all of it, till the end.
    if (gain <= 0
        || guard.isOut()
        || log.region(from) != emptied
        || length <= 0
        || length > log.locations().maxBlockBytes()
        || !admission.readmits(gain, length)) {
      return false;
    }
    boolean moved = false;
    try {
      moved = move(slot, hash, from, length, stripe);
    } finally {
      if (!moved) {
        admission.refundReadmission(length);
      }
    }
    return moved;
  }

  private boolean move(int slot, long hash, long from, int length, int stripe) {
    int charge = log.usualSpaceBytes(length);
    if (!governor.tryCharge(charge)) {
      return false;
    }
    long to = BlockStore.NO_SPACE;
    try {
      to = log.append(length);
    } finally {
      if (to < 0) {
        governor.refund(charge); // What has a place is written with its region, block or not.
      }
    }
    if (to < 0) {
      return false;
    }
    boolean put = false;
    boolean moved = false;
    try {
      put = space.move(from, hash, index.sum(slot), length, to);
      moved = put && index.relocate(slot, hash, from, to);
    } catch (NoDirectMemoryException noBuffer) {
      // The block leaves with its region.
    } catch (DriveException ofOneDrive) {
      counters.add(stripe, Counter.MEDIUM_FAILURES, 1);
    } catch (IOException | RuntimeException | Error failure) {
      guard.remember(failure);
      counters.add(stripe, Counter.MEDIUM_FAILURES, 1);
      guard.failed("reads failed");
    } finally {
      log.release(moved ? from : to, length);
      log.committed(to, length);
      if (put) {
        count(moved, length, stripe);
      }
    }
    return moved;
  }

  private void count(boolean moved, int length, int stripe) {
    counters.add(stripe, Counter.MEDIUM_WRITTEN_BYTES, length);
    if (moved) {
      counters.add(stripe, Counter.REINSERTIONS, 1);
      counters.add(stripe, Counter.REINSERTED_BYTES, length);
    } else {
      counters.add(stripe, Counter.WASTED_BYTES, length);
    }
  }
}
