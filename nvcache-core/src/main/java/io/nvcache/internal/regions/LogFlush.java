// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.remove.MediumFailureHandler;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.remove.SlotScan;
import io.nvcache.internal.settings.WriteGovernor;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;

/**
 * Writes what was appended to the medium, in order. Blocks that could not be written leave.
 *
 * <p>Used by one thread at a time.
 */
public final class LogFlush {
  private final RegionSpace space;
  private final AppendLog log;
  private final RestartWork restart;
  private final Remover remover;
  private final SlotScan slots;
  private final WriteGovernor governor;
  private final StripedCounters counters;
  private final MediumFailureHandler mediumFailures;

  public LogFlush(
      RegionSpace space,
      RestartWork restart,
      Remover remover,
      SlotScan slots,
      WriteGovernor governor,
      StripedCounters counters,
      MediumFailureHandler mediumFailures) {
    this.space = space;
    this.log = space.log();
    this.restart = restart;
    this.remover = remover;
    this.slots = slots;
    this.governor = governor;
    this.counters = counters;
    this.mediumFailures = mediumFailures;
  }

  /** Writes all pieces that are complete. */
  void run() {
    while (log.wantsFlush()) {
      int stripe = counters.stripe();
      try {
        int begun = restart.begin();
        int written = space.flush();
        governor.settle(written);
        counters.add(stripe, Counter.DEVICE_WRITTEN_BYTES, begun + written);
      } catch (NoDirectMemoryException noBuffer) {
        mediumFailures.writeFailed(noBuffer, stripe);
        return; // The piece is as good as it was: the next round tries again.
      } catch (IOException | RuntimeException | Error failure) {
        mediumFailures.writeFailed(failure, stripe);
        if (!drop()) {
          return;
        }
      }
      restart.endRegion();
    }
  }

  /**
   * The blocks of a piece that could not be written leave before its place is used again; false if
   * the cache was closed before.
   */
  private boolean drop() {
    BlockIndex.Removal inPiece = (key, location) -> log.isInNextFlush(location);
    boolean all =
        slots.forEach((slot, key, stripe) -> remover.dropUnwritten(slot, inPiece, stripe));
    if (all) {
      governor.settle(log.pendingBytes());
      log.passDamaged();
    }
    return all;
  }
}
