// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.VictimPricing;
import java.util.function.BooleanSupplier;

/**
 * The price of room where whole regions are reclaimed: what the blocks that went with them were
 * worth on average, lately; none while regions are free that no block had to leave. No block makes
 * room for one that comes, so that the eviction policy's own next victim says nothing.
 *
 * <p>The price fades while nothing is reclaimed, faster than the worth of blocks that are not
 * looked up, so that it is gone within ten capacities of lookups. Otherwise a price that nothing
 * can pay would stay: nothing comes, so that nothing has to go, and it never shows what the blocks
 * that are there are worth now. If they are worth as much as ever, the next region that is
 * reclaimed says so.
 *
 * <p>Set by one thread, faded and read by all.
 */
public final class RegionPricing implements VictimPricing {
  /** The part of the mean that the region reclaimed last makes up. */
  private static final double LATEST = 0.125;

  /** Eight lookups, the most that a block is worth, are half of one after eight capacities. */
  private static final long CAPACITIES_PER_HALVING = 2;

  private final VictimPricing pricing;
  private final BooleanSupplier hasRoomToSpare;
  private static final int STEPS_PER_HALVING = 256;

  private final long lookupsPerHalving;
  private final long lookupsPerStep;
  private double mean = NO_PRICE;

  private volatile int droppedWorth = NO_PRICE;

  /** When a region was last reclaimed. */
  private volatile long reclaimedAt;

  /** The time, in lookups, or a little less. */
  private volatile long now;

  /**
   * Prices by what the eviction policy says its blocks are worth.
   *
   * @param hasRoomToSpare whether more regions are free than are kept ready
   * @param capacityBlocks how many blocks there is room for
   */
  public RegionPricing(VictimPricing pricing, BooleanSupplier hasRoomToSpare, long capacityBlocks) {
    this.pricing = pricing;
    this.hasRoomToSpare = hasRoomToSpare;
    this.lookupsPerHalving = CAPACITIES_PER_HALVING * Math.max(1, capacityBlocks);
    this.lookupsPerStep = Math.max(1, lookupsPerHalving / STEPS_PER_HALVING);
  }

  /** Returns whether worths have a unit, so that they can be compared with candidates'. */
  public boolean isPriced() {
    return pricing != VictimPricing.UNPRICED;
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
      double before = mean < 0 ? latest : Math.min(mean, droppedWorth() + 1);
      mean = before + LATEST * (latest - before);
      reclaimedAt = now;
      droppedWorth = (int) Math.min(Integer.MAX_VALUE, mean);
    }
  }

  /** Returns what the blocks that were dropped lately were worth on average. */
  public int droppedWorth() {
    int worth = droppedWorth;
    long passed = now - reclaimedAt;
    if (worth <= 0 || passed <= 0) {
      return worth;
    }
    long halvings = passed / lookupsPerHalving;
    if (halvings >= Integer.SIZE - 1) {
      return 0;
    }
    int least = worth >> halvings;
    return least - (int) ((least >> 1) * (passed % lookupsPerHalving) / lookupsPerHalving);
  }

  @Override
  public int priceNextVictim() {
    return hasRoomToSpare.getAsBoolean() ? NO_PRICE : droppedWorth();
  }

  @Override
  public int leastWorth() {
    return pricing.leastWorth();
  }

  @Override
  public double victimForecast() {
    return pricing.victimForecast();
  }

  @Override
  public void advance(long lookups) {
    if (lookups - now >= lookupsPerStep) { // Seldom: all threads read what is written here.
      now = lookups;
    }
    pricing.advance(lookups);
  }

  @Override
  public void expect(int worth) {
    pricing.expect(worth);
  }
}
