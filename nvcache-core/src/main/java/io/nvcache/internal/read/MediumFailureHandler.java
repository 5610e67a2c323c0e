// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.control.MissReason;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.guard.Words;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.space.Allocator;
import io.nvcache.internal.space.Quarantine;
import io.nvcache.medium.NoDirectMemoryException;
import io.nvcache.medium.ReadOnlyMediumException;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;

/**
 * What follows from a read that failed: it is counted, held against the medium, and not repeated.
 * One that found no memory to read into is counted only.
 */
public final class MediumFailureHandler {
  private final StripedCounters counters;
  private final MediumGuard guard;
  private final Remover remover;
  private final Quarantine quarantine;
  private final boolean appends;

  public MediumFailureHandler(
      StripedCounters counters, MediumGuard guard, Allocator allocator, Remover remover) {
    this.counters = counters;
    this.guard = guard;
    this.remover = remover;
    this.quarantine = new Quarantine(allocator);
    this.appends = !allocator.reusesSlots();
  }

  /**
   * Takes note of a lookup that missed because its block could not be read though its entry stood.
   *
   * @param outcome what {@link BlockReads} said
   */
  void readFailed(int outcome, int slot, long location, int lengthBytes, int stripe) {
    if (outcome == BlockReads.NO_MEMORY) {
      counters.add(stripe, Counter.of(MissReason.NO_DIRECT_MEMORY), 1);
      return;
    }
    if (outcome != BlockReads.CORRUPT) {
      counters.add(stripe, Counter.MEDIUM_FAILURES, 1);
      counters.add(stripe, Counter.of(MissReason.MEDIUM_FAILED), 1);
      if (appends) { // Its place is not written to again before its region, with all the others.
        drop(slot, location, lengthBytes, stripe);
      }
      guard.failed("reads failed");
      return;
    }
    counters.add(stripe, Counter.of(MissReason.CORRUPT), 1);
    drop(slot, location, lengthBytes, stripe);
    guard.failed("blocks came back changed");
  }

  private void drop(int slot, long location, int lengthBytes, int stripe) {
    if (remover.quarantine(slot, location, stripe)) {
      quarantine.take(location, lengthBytes);
    }
  }

  /**
   * Takes note of a write that failed. A lack of memory is counted and shown, but takes no medium
   * out of service; nor does a medium that can be read, and is written no more.
   */
  public void writeFailed(Throwable failure, int stripe) {
    guard.remember(failure);
    counters.add(stripe, Counter.MEDIUM_FAILURES, 1);
    if (failure instanceof ReadOnlyMediumException) {
      guard.stopWrites(Words.of(failure));
    } else if (!(failure instanceof NoDirectMemoryException)) {
      guard.failed("writes failed");
    }
  }
}
