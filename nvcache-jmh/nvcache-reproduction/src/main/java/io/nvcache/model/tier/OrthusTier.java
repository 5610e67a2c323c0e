// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.CacheStats;
import io.nvcache.Source;
import io.nvcache.model.machine.Activity;

/**
 * Orthus's non-hierarchical caching (K. Wu et al., "The Storage Hierarchy is Not a Hierarchy", FAST
 * 2021): a classic cache while it fills; once full nothing is admitted, and a part of the hits is
 * sent to the disk, stepped up or down by whichever gave more throughput. When the store has freed
 * enough of its blocks, it fills again.
 */
final class OrthusTier extends CacheTier {
  private static final double FULL = 0.95;
  private static final double FILLING = 0.9;
  private static final double STEP = 0.05;
  private static final int SECONDS_PER_STEP = 5;

  private final TierContext context;
  private boolean full;
  private double diskPart;
  private double step = STEP;
  private long hits;
  private int seconds;
  private long operationsBefore;
  private long doneBefore;

  OrthusTier(TierContext context, CachePolicy policy) {
    super(context, policy);
    this.context = context;
  }

  /** The part of the hits sent to the disk now. */
  double diskPart() {
    return diskPart;
  }

  @Override
  public boolean read(int place, Activity activity) {
    if (full && spread(hits++)) {
      return false;
    }
    return super.read(place, activity);
  }

  @Override
  public void fetched(int place, Source source, Activity activity) {
    if (!full) {
      super.fetched(place, source, activity);
    }
  }

  @Override
  public void write(int place, Activity activity) {
    if (full) {
      machine().writeDisk(activity);
    } else {
      super.write(place, activity);
    }
  }

  /** Evenly: the k-th hit goes to the disk when k·part passes a whole number. */
  private boolean spread(long hit) {
    return Math.floor((hit + 1) * diskPart) > Math.floor(hit * diskPart);
  }

  @Override
  public void everySecond(Activity activity) {
    super.everySecond(activity);
    CacheStats stats = stats();
    boolean before = full;
    full = stats.usedBytes() >= (full ? FILLING : FULL) * stats.capacityBytes();
    if (full && !before) {
      balanceAnew();
    } else if (full && ++seconds % SECONDS_PER_STEP == 0) {
      climb();
    }
  }

  private void balanceAnew() {
    seconds = 0;
    diskPart = 0;
    step = STEP;
    doneBefore = 0;
    operationsBefore = context.operations().getAsLong();
  }

  private void climb() {
    long operations = context.operations().getAsLong();
    long done = operations - operationsBefore;
    if (done < doneBefore) {
      step = -step;
    }
    operationsBefore = operations;
    doneBefore = done;
    diskPart = Math.max(0, Math.min(1, diskPart + step));
    if (diskPart == 0 || diskPart == 1) {
      step = -step;
    }
  }
}
