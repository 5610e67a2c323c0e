// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.report;

import io.nvcache.CacheStats;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.host.ReasonCounts;

/**
 * The reads that Cassandra got from the cache: the hits of the cache without the blocks that were
 * found and not used. Counted by subtraction, so that a hit has its own counter.
 */
public final class ServedReads {
  private ServedReads() {}

  public static long of(CacheStats stats, ReasonCounts<Bypass> bypasses) {
    return Math.max(0, stats.hits() - bypasses.of(Bypass.CACHED_TOO_SHORT));
  }

  /** Served reads per lookup; 0 before the first lookup. */
  static double ratio(CacheStats stats, ReasonCounts<Bypass> bypasses) {
    return stats.lookups() == 0 ? 0 : (double) of(stats, bypasses) / stats.lookups();
  }
}
