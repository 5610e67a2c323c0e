// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.control.LiveSetting;
import io.nvcache.stats.Reading;
import io.nvcache.stats.RecentStats;
import io.nvcache.stats.Stat;
import io.nvcache.stats.StatTable;
import java.time.Duration;
import java.util.function.ToDoubleFunction;

/** All meters of one cache on one registry. */
final class CacheBinding implements AutoCloseable {
  private static final long SNAPSHOT_AGE_MILLIS = 100;

  private final MeterGroup meters;
  private final RecentStats recent;
  private final ShadowMeters shadows;

  CacheBinding(MeterRegistry registry, BlockCache cache, Tags tags) {
    this.meters = new MeterGroup(registry, cache, tags);
    this.recent =
        new RecentStats(
            registry.config().clock()::monotonicTime, Duration.ofMillis(SNAPSHOT_AGE_MILLIS));
    this.shadows = new ShadowMeters(registry, cache, tags);
  }

  /** Binds the rows of {@link StatTable} and {@link LiveSetting}, and the shadows. */
  void bind() {
    bindTables();
    shadows.bind();
  }

  private void bindTables() {
    for (Stat row : StatTable.ROWS) {
      if (row.meter() != null) {
        bindRow(row, row.meter());
      }
    }
    for (LiveSetting setting : LiveSetting.values()) {
      setting
          .gauge()
          .ifPresent(
              gauge ->
                  meters.gauge(
                      gauge.name(),
                      gauge.description(),
                      setting.isRatio() ? null : "bytes",
                      Tags.empty(),
                      cache -> ((Number) cache.control().settings().get(setting)).doubleValue()));
    }
  }

  private void bindRow(Stat row, Stat.Meter meter) {
    RecentStats snapshots = recent; // Not this object, which a meter would hold.
    ToDoubleFunction<BlockCache> value =
        cache -> row.value().apply(new Reading(cache, snapshots)).doubleValue();
    String unit = meter.unit().isEmpty() ? null : meter.unit();
    Tags tag = Tags.of(meter.tag().toArray(String[]::new));
    if (meter.counter()) {
      meters.count(meter.name(), meter.description(), unit, tag, value);
    } else {
      meters.gauge(meter.name(), meter.description(), unit, tag, value);
    }
  }

  /**
   * Binds what every cache has, named and tagged as by Micrometer's {@code CacheMeterBinder}: with
   * the tags that its user gives, and no others. That is not used because it keeps no list of what
   * it registered, which could be removed by.
   */
  void bindCommon() {
    RecentStats snapshots = recent; // Not this object, which a meter would hold.
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

  /**
   * Binds the sum of evictions, apart, because its tags are at odds with {@code
   * CaffeineStatsCounter}'s.
   */
  void bindCommonEvictions() {
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

  void complete() {
    meters.complete();
  }

  @Override
  public void close() {
    shadows.close();
    meters.close();
  }
}
