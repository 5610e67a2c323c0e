// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import io.nvcache.control.MissReason;
import io.nvcache.internal.guard.ExceptionText;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.space.BlockSpace;
import io.nvcache.medium.DriveException;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.medium.ReadOnlyMediumException;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;

/**
 * Counts reads and writes that failed, holds them against the medium, and drops the entry of a
 * block that can't be read again. A lack of memory is counted only.
 */
public final class MediumFailureHandler {
  private final StripedCounters counters;
  private final MediumGuard guard;
  private final Remover remover;
  private final BlockSpace blocks;

  public MediumFailureHandler(
      StripedCounters counters, MediumGuard guard, BlockSpace blocks, Remover remover) {
    this.counters = counters;
    this.guard = guard;
    this.remover = remover;
    this.blocks = blocks;
  }

  /**
   * Takes note of a lookup that missed because its block could not be read though its entry was
   * unchanged.
   *
   * @param outcome what {@link BlockSpace#copy} said
   */
  public void readFailed(int outcome, int slot, long location, int lengthBytes, int stripe) {
    switch (outcome) {
      case BlockSpace.NO_MEMORY -> counters.add(stripe, Counter.of(MissReason.NO_DIRECT_MEMORY), 1);
      case BlockSpace.CORRUPT -> {
        counters.add(stripe, Counter.of(MissReason.CORRUPT), 1);
        drop(slot, location, lengthBytes, stripe);
        guard.failed("blocks came back changed");
      }
      case BlockSpace.DRIVE_FAILED -> {
        counters.add(stripe, Counter.of(MissReason.DRIVE_FAILED), 1);
        remover.lose((key, at) -> at == location, slot, stripe);
      }
      default -> {
        counters.add(stripe, Counter.MEDIUM_FAILURES, 1);
        counters.add(stripe, Counter.of(MissReason.MEDIUM_FAILED), 1);
        if (!blocks.keepsUnreadable()) {
          drop(slot, location, lengthBytes, stripe);
        }
        guard.failed("reads failed");
      }
    }
  }

  private void drop(int slot, long location, int lengthBytes, int stripe) {
    if (remover.quarantine(slot, location, stripe)) {
      blocks.quarantine(location, lengthBytes);
    }
  }

  /**
   * Takes note of a write that failed. A lack of memory is counted and shown, but takes no medium
   * out of service; nor does a medium that can be read, and is written no more, or one of several
   * drives, which is judged by itself.
   */
  public void writeFailed(Throwable failure, int stripe) {
    if (failure instanceof DriveException) {
      counters.add(stripe, Counter.MEDIUM_FAILURES, 1);
      return;
    }
    guard.remember(failure);
    counters.add(stripe, Counter.MEDIUM_FAILURES, 1);
    if (failure instanceof ReadOnlyMediumException) {
      guard.stopWrites(ExceptionText.of(failure));
    } else if (!(failure instanceof NoDirectMemoryException)) {
      guard.failed("writes failed");
    }
  }
}
