// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.Tags;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.stats.RecentStats;

/**
 * The meters that every cache has, named and tagged as by Micrometer's {@code CacheMeterBinder}:
 * with the tags that its user gives, and no others. That is not used because it keeps no list of
 * what it registered, which could be removed by.
 */
record CommonMeters(MeterGroup meters, RecentStats recent) {
  void bind() {
    RecentStats snapshots = recent; // Not this record, which a meter would hold.
    meters.gauge(
        "cache.size", "Blocks cached", null, Tags.empty(), cache -> snapshots.of(cache).blocks());
    meters.count(
        "cache.gets",
        "Lookups",
        null,
        Tags.of("result", "hit"),
        cache -> snapshots.of(cache).hits());
    meters.count(
        "cache.gets",
        "Lookups",
        null,
        Tags.of("result", "miss"),
        cache -> snapshots.of(cache).misses());
    meters.count(
        "cache.puts",
        "Offers admitted",
        null,
        Tags.empty(),
        cache -> snapshots.of(cache).offers(OfferResult.ADMITTED));
  }

  /** Apart, because its tags are at odds with {@code CaffeineStatsCounter}'s. */
  void bindEvictions() {
    RecentStats snapshots = recent;
    meters.count(
        "cache.evictions",
        "Blocks evicted, displaced or rebalanced away",
        null,
        Tags.empty(),
        cache -> evictions(snapshots.of(cache)));
  }

  private static long evictions(CacheStats stats) {
    return stats.evictions() + stats.displacements() + stats.rebalancings();
  }
}
