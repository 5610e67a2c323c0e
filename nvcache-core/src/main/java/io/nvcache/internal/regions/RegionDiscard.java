// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.background.SafeLog;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.settings.ByteBucket;
import io.nvcache.medium.DriveException;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the medium forget free regions whose blocks are dead, so many bytes a second, while more
 * regions are free than are soon to be filled. The first failure ends it for the life of the cache:
 * it costs nothing but the discards.
 *
 * <p>Used by one thread at a time, the one that writes regions: so none is written meanwhile.
 */
public final class RegionDiscard {
  private static final Logger LOG = LoggerFactory.getLogger(RegionDiscard.class);

  private final RegionSpace space;
  private final RegionTable table;
  private final RestartWork restart;
  private final double bytesPerSecond;
  private final LongSupplier nanoTime;
  private final MediumGuard guard;
  private final CallGate gate;
  private final StripedCounters counters;
  private final ByteBucket rate = new ByteBucket();
  private boolean failed;

  /**
   * Makes the work.
   *
   * @param bytesPerSecond that may be discarded; 0 for none
   */
  public RegionDiscard(
      RegionSpace space,
      RestartWork restart,
      long bytesPerSecond,
      LongSupplier nanoTime,
      MediumGuard guard,
      CallGate gate,
      StripedCounters counters) {
    this.space = space;
    this.table = space.log().table();
    this.restart = restart;
    this.bytesPerSecond = bytesPerSecond;
    this.nanoTime = nanoTime;
    this.guard = guard;
    this.gate = gate;
    this.counters = counters;
  }

  /** Returns whether anything is ever discarded. */
  boolean isOn() {
    return bytesPerSecond > 0;
  }

  /**
   * Discards as many regions as there are and as may be now.
   *
   * @param between called after each: other work must not wait for the end
   */
  void run(Runnable between) {
    while (!failed && !guard.isOut() && !gate.isClosed() && mayDiscard()) {
      OptionalInt region = table.takeDead();
      if (region.isEmpty()) {
        return;
      }
      discard(region.getAsInt());
      between.run();
    }
  }

  private boolean mayDiscard() {
    rate.advance(nanoTime.getAsLong(), bytesPerSecond, bytesPerSecond);
    return rate.has(table.regionBytes());
  }

  private void discard(int region) {
    int stripe = counters.stripe();
    rate.take(table.regionBytes());
    try {
      counters.add(stripe, Counter.DEVICE_WRITTEN_BYTES, restart.blank(region));
      int bytes = space.discard(region);
      counters.add(stripe, Counter.DISCARDED_REGIONS, 1);
      counters.add(stripe, Counter.DISCARDED_BYTES, bytes);
    } catch (DriveException ofOneDrive) {
      counters.add(stripe, Counter.DISCARD_FAILURES, 1);
      table.keepDead(region);
      return;
    } catch (IOException | RuntimeException | Error failure) {
      failed = true;
      counters.add(stripe, Counter.DISCARD_FAILURES, 1);
      table.keepDead(region);
      SafeLog.warn(
          LOG, "dead regions are not discarded any more: {}; {}", failure, "the cache continues");
      return;
    }
    table.discarded(region);
  }
}
