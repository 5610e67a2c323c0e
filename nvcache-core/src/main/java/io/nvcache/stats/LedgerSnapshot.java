// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import io.nvcache.OfferResult;
import io.nvcache.control.MissReason;
import io.nvcache.control.ReasonLedger;
import java.util.Map;
import java.util.TreeMap;

/**
 * The values of a {@link ReasonLedger}, which documents them: a snapshot's by reason, and two that
 * are read for a ledger alone.
 */
public record LedgerSnapshot(StatsSnapshot stats, long liveBlocks, long policyFailures)
    implements ReasonLedger {
  @Override
  public Map<MissReason, Long> misses() {
    return stats.missesByReason();
  }

  @Override
  public long wastedBytes() {
    return stats.sum(Counter.WASTED_BYTES);
  }

  @Override
  public long quarantinedBlocks() {
    return stats.sum(Counter.QUARANTINES);
  }

  @Override
  public long quarantinedBytes() {
    return stats.sum(Counter.QUARANTINED_BYTES);
  }

  @Override
  public long driveLossBlocks() {
    return stats.sum(Counter.DRIVE_LOSSES);
  }

  @Override
  public long driveLossBytes() {
    return stats.sum(Counter.DRIVE_LOST_BYTES);
  }

  @Override
  public long rewriteHits() {
    return stats.sum(Counter.REWRITE_HITS);
  }

  @Override
  public long rewriteMisses() {
    return stats.sum(Counter.REWRITE_MISSES);
  }

  @Override
  public long unreadableOutputs() {
    return stats.sum(Counter.CARRIED_UNREADABLE);
  }

  @Override
  public long roomlessOutputs() {
    return stats.sum(Counter.CARRIED_NO_ROOM);
  }

  @Override
  public long unaskedOutputs() {
    return stats.sum(Counter.CARRIED_UNASKED);
  }

  @Override
  public Map<OfferResult, Long> carried() {
    return StatsSnapshot.each(OfferResult.class, result -> stats.sum(Counter.ofCarried(result)));
  }

  @Override
  public Map<String, Long> entries() {
    Map<String, Long> entries = new TreeMap<>();
    for (Stat row : StatTable.ROWS) {
      if (row.count() != null && !row.entry().isEmpty()) {
        entries.put(row.entry(), row.count().applyAsLong(this));
      }
    }
    return entries;
  }
}
