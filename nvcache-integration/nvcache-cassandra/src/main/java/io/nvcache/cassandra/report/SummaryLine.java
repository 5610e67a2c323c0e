// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.report;

import io.nvcache.BlockCache;
import io.nvcache.cassandra.tier.Tier;
import io.nvcache.host.IntervalSummary;

/** A line for the log on what happened since the last one. */
public final class SummaryLine {
  private final Tier tier;
  private final IntervalSummary summary;

  public SummaryLine(Tier tier, BlockCache cache) {
    this.tier = tier;
    this.summary = new IntervalSummary(cache, stats -> ServedReads.of(stats, tier.bypasses()));
  }

  /** Not thread-safe. */
  public String next() {
    return summary.next()
        + " of "
        + tier.incarnations().size()
        + " files; past the cache in all: "
        + tier.bypasses().byName();
  }
}
