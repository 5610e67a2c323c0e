// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.admission.Traffic;
import io.nvcache.stats.Counter;
import io.nvcache.stats.RecentSum;
import io.nvcache.stats.StripedCounters;

/**
 * The same counts for each decision of a policy, which must not cost more for each thread that ever
 * used the cache: the lookups may be {@linkplain RecentSum recent ones}. A budget is never ahead of
 * them by that.
 */
public final class RecentTraffic implements Traffic {
  private final Traffic all;
  private final RecentSum lookups;

  public RecentTraffic(StripedCounters counters, Traffic all) {
    this.all = all;
    this.lookups = new RecentSum(counters, Counter.LOOKUPS, all::lookups);
  }

  @Override
  public long lookups() {
    return lookups.get();
  }

  @Override
  public long hits() {
    return all.hits();
  }

  @Override
  public long insertedBlocks() {
    return all.insertedBlocks();
  }

  @Override
  public long removedBlocks() {
    return all.removedBlocks();
  }

  @Override
  public long restoredBlocks() {
    return all.restoredBlocks();
  }
}
