// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.stats.BinaryUnits;
import io.nvcache.stats.RefusedOffers;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * A line for a host's log on what a cache did since the last one: lookups, hits, bytes written, and
 * the most common reason for which offers were refused. Not thread-safe.
 */
public final class IntervalSummary {
  private final BlockCache cache;
  private final ToLongFunction<CacheStats> servedLookups;
  private CacheStats before;

  /** Counts each hit as served. */
  public IntervalSummary(BlockCache cache) {
    this(cache, CacheStats::hits);
  }

  /**
   * Looks for the first time.
   *
   * @param servedLookups the lookups whose block the host used, since the cache was built
   */
  public IntervalSummary(BlockCache cache, ToLongFunction<CacheStats> servedLookups) {
    this.cache = cache;
    this.servedLookups = servedLookups;
    this.before = cache.stats();
  }

  /** Returns what has happened since the last call. */
  public String next() {
    CacheStats now = cache.stats();
    long lookups = now.lookups() - before.lookups();
    long served = servedLookups.applyAsLong(now) - servedLookups.applyAsLong(before);
    long written = now.mediumWrittenBytes() - before.mediumWrittenBytes();
    RefusedOffers refused = RefusedOffers.between(before.offers(), now.offers());
    before = now;
    return String.format(
        Locale.ROOT,
        "NVCache since the last summary: %d lookups, %.1f %% served, %s written, %s;"
            + " now: %s, %d blocks, %s of %s",
        lookups,
        lookups == 0 ? 0.0 : 100.0 * served / lookups,
        BinaryUnits.of(written),
        words(refused),
        cache.control().health().state(),
        now.blocks(),
        BinaryUnits.of(now.usedBytes()),
        BinaryUnits.of(now.capacityBytes()));
  }

  private static String words(RefusedOffers refused) {
    return "offers refused: "
        + refused.sum()
        + refused
            .commonest()
            .map(by -> " (mostly: " + RefusedOffers.name(by) + " " + refused.of(by) + ")")
            .orElse("");
  }
}
