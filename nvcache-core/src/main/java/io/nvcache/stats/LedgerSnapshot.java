// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.control.MissReason;
import io.nvcache.control.ReasonLedger;
import java.util.EnumMap;
import java.util.Map;

/** The values of a {@link ReasonLedger}, which documents them. */
public record LedgerSnapshot(
    CacheStats stats,
    Map<MissReason, Long> misses,
    long wastedBytes,
    long quarantinedBlocks,
    long quarantinedBytes,
    long liveBlocks,
    long policyFailures,
    long rewriteHits,
    long rewriteMisses,
    long unreadableOutputs,
    long roomlessOutputs,
    long unaskedOutputs,
    Map<OfferResult, Long> carried)
    implements ReasonLedger {

  /** Copies the maps, and puts a zero where an entry is missing. */
  public LedgerSnapshot {
    Map<MissReason, Long> byReason = new EnumMap<>(MissReason.class);
    for (MissReason reason : MissReason.values()) {
      byReason.put(reason, misses.getOrDefault(reason, 0L));
    }
    misses = Map.copyOf(byReason);
    Map<OfferResult, Long> byResult = new EnumMap<>(OfferResult.class);
    for (OfferResult result : OfferResult.values()) {
      byResult.put(result, carried.getOrDefault(result, 0L));
    }
    carried = Map.copyOf(byResult);
  }
}
