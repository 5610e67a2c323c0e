// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.VictimPricing;
import java.util.function.BooleanSupplier;

/**
 * The price of room where whole regions give way: what the blocks that went with them were worth on
 * average, of late; none while regions are free that no block had to leave. No block gives way for
 * one that comes, so that the eviction policy's own next victim says nothing.
 *
 * <p>Set by one thread, read by all.
 */
public final class RegionPricing implements VictimPricing {
  /** The part of the mean that the region reclaimed last makes up. */
  private static final double LATEST = 0.125;

  private final VictimPricing residents;
  private final BooleanSupplier hasRoomToSpare;
  private double mean = NO_PRICE;
  private volatile int droppedWorth = NO_PRICE;

  /**
   * Prices by what the eviction policy says its blocks are worth.
   *
   * @param hasRoomToSpare whether more regions are free than are kept ready
   */
  public RegionPricing(VictimPricing residents, BooleanSupplier hasRoomToSpare) {
    this.residents = residents;
    this.hasRoomToSpare = hasRoomToSpare;
  }

  /** Returns whether worths have a unit, so that they can be compared with candidates'. */
  public boolean isPriced() {
    return residents != VictimPricing.UNPRICED;
  }

  /**
   * A region was reclaimed.
   *
   * @param worth of the blocks dropped, together
   * @param blocks how many were dropped
   */
  public void reclaimed(long worth, int blocks) {
    if (isPriced() && blocks > 0) {
      double latest = (double) worth / blocks;
      mean = mean < 0 ? latest : mean + LATEST * (latest - mean);
      droppedWorth = (int) Math.min(Integer.MAX_VALUE, mean);
    }
  }

  /** Returns what the blocks that were dropped lately were worth on average. */
  public int droppedWorth() {
    return droppedWorth;
  }

  @Override
  public int victimWorth() {
    return hasRoomToSpare.getAsBoolean() ? NO_PRICE : droppedWorth;
  }

  @Override
  public void advance(long lookups) {
    residents.advance(lookups);
  }

  @Override
  public void expect(int worth) {
    residents.expect(worth);
  }
}
