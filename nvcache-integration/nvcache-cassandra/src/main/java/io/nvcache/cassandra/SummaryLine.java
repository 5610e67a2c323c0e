// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import java.util.Locale;

/** What has happened since the last line, in one line for the log. */
final class SummaryLine {
  private final Tier tier;
  private final BlockCache cache;
  private long lookupsBefore;
  private long servedBefore;
  private long writtenBefore;

  SummaryLine(Tier tier, BlockCache cache) {
    this.tier = tier;
    this.cache = cache;
  }

  /** Not thread-safe. */
  String next() {
    CacheStats stats = cache.stats();
    long served = ServedReads.of(stats, tier.bypasses());
    long lookups = stats.lookups() - lookupsBefore;
    long hits = served - servedBefore;
    long written = stats.mediumWrittenBytes() - writtenBefore;
    lookupsBefore = stats.lookups();
    servedBefore = served;
    writtenBefore = stats.mediumWrittenBytes();
    return String.format(
        Locale.ROOT,
        "NVCache since the last summary: %d lookups, %.1f %% served, %d bytes written;"
            + " now: %d blocks of %d files, %d of %d bytes; bypasses in all: %s",
        lookups,
        lookups == 0 ? 0.0 : 100.0 * hits / lookups,
        written,
        stats.blocks(),
        tier.incarnations().size(),
        stats.usedBytes(),
        stats.capacityBytes(),
        tier.bypasses().byName());
  }
}
