// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.control.RestoreLoss;
import io.nvcache.control.RestoreReport;
import io.nvcache.control.RestoreReport.State;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Counts what is restored and what is not. Written by one thread at a time, read by all. */
public final class RestoreProgress {
  private final LongSupplier nanoTime;
  private final Map<RestoreLoss, Long> lostRegions = new EnumMap<>(RestoreLoss.class);
  private final Map<RestoreLoss, Long> lostBlocks = new EnumMap<>(RestoreLoss.class);
  private State state = State.OFF;
  private String reason = "";
  private long regions;
  private long restoredRegions;
  private long restoredBlocks;
  private long restoredBytes;
  private long began;
  private long tookNanos;
  private volatile long chargedBlocks;

  public RestoreProgress(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** There is nothing to restore. */
  public synchronized void cold(String why) {
    state = State.COLD;
    reason = why;
  }

  /** Restoring begins. */
  public synchronized void begin(int ofRegions) {
    state = State.RESTORING;
    regions = ofRegions;
    began = nanoTime.getAsLong();
    chargedBlocks = Long.MAX_VALUE;
  }

  synchronized void lose(RestoreLoss why, long lost) {
    lostRegions.merge(why, lost, Long::sum);
  }

  synchronized void restored(long blocks, long bytes, Map<RestoreLoss, Long> lost) {
    restoredRegions++;
    restoredBlocks += blocks;
    restoredBytes += bytes;
    lost.forEach((why, count) -> lostBlocks.merge(why, count, Long::sum));
    tookNanos = nanoTime.getAsLong() - began;
  }

  synchronized void end() {
    state = State.RESTORED;
    tookNanos = nanoTime.getAsLong() - began;
    chargedBlocks = restoredBlocks;
  }

  /**
   * Returns how many blocks the write budget has to take for restored: all that there is room for,
   * while that is not known, so that none of the room is lent twice.
   */
  public long chargedBlocks() {
    return chargedBlocks;
  }

  /** Returns the report. */
  public synchronized RestoreReport read() {
    return new RestoreReport(
        state,
        reason,
        regions,
        restoredRegions,
        restoredBlocks,
        restoredBytes,
        lostRegions,
        lostBlocks,
        Duration.ofNanos(
            state == State.RESTORING ? Math.max(0, nanoTime.getAsLong() - began) : tookNanos));
  }
}
