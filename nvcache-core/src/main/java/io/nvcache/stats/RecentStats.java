// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.control.ReasonLedger;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers a cache's newest snapshot for a moment, so that a monitor that asks for fifty numbers
 * one by one costs one snapshot, and gets numbers that fit together. Doesn't hold the cache.
 * Thread-safe.
 */
public final class RecentStats {
  private record Taken(ReasonLedger ledger, long nanoTime) {}

  private final LongSupplier nanoTime;
  private final long maxAgeNanos;
  private volatile @Nullable Taken newest;

  /**
   * Remembers nothing yet.
   *
   * @param nanoTime a monotonic clock
   * @param maxAge from which age on a snapshot is taken again
   */
  public RecentStats(LongSupplier nanoTime, Duration maxAge) {
    this.nanoTime = nanoTime;
    this.maxAgeNanos = maxAge.toNanos();
  }

  /** Returns the stats of this cache, the same cache each time. */
  public CacheStats of(BlockCache cache) {
    return ledgerOf(cache).stats();
  }

  /** Returns the ledger of this cache, of the same moment. */
  public ReasonLedger ledgerOf(BlockCache cache) {
    long now = nanoTime.getAsLong();
    Taken taken = newest;
    if (taken == null || now - taken.nanoTime >= maxAgeNanos) {
      taken = new Taken(cache.control().ledger(), now);
      newest = taken; // of two racing callers either one's snapshot is recent
    }
    return taken.ledger;
  }
}
