// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.admission.Traffic;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.util.function.LongSupplier;

/**
 * The counts that admission looks at, read from the statistics. Lookups of further parts of a block
 * are none.
 */
public record EngineTraffic(StripedCounters counters, LongSupplier restored) implements Traffic {
  /** Counts the traffic of a cache that restores nothing. */
  public EngineTraffic(StripedCounters counters) {
    this(counters, () -> 0);
  }

  @Override
  public long restoredBlocks() {
    return restored.getAsLong();
  }

  @Override
  public long lookups() {
    return counters.sum(Counter.LOOKUPS) - counters.sum(Counter.CONTINUED_LOOKUPS);
  }

  @Override
  public long hits() {
    return counters.sum(Counter.HITS) - counters.sum(Counter.CONTINUED_HITS);
  }

  @Override
  public long insertedBlocks() {
    return counters.sum(Counter.OFFERS_ADMITTED) + counters.sum(Counter.REINSERTIONS);
  }

  @Override
  public long removedBlocks() {
    return counters.sum(Counter.EVICTIONS)
        + counters.sum(Counter.DISPLACEMENTS)
        + counters.sum(Counter.REBALANCINGS)
        + counters.sum(Counter.INVALIDATIONS)
        + counters.sum(Counter.QUARANTINES)
        + counters.sum(Counter.DRIVE_LOSSES)
        + counters.sum(Counter.REINSERTIONS);
  }
}
