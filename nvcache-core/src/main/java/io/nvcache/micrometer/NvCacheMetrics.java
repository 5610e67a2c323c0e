// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.Condition;
import io.nvcache.DataSet;
import io.nvcache.MissReason;
import io.nvcache.OfferResult;
import io.nvcache.ReasonLedger;
import io.nvcache.Source;
import io.nvcache.stats.RecentStats;
import java.time.Duration;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Binds a cache to Micrometer: the meters that every cache has ({@code cache.size}, {@code
 * cache.gets}, {@code cache.puts}, {@code cache.evictions}, tagged with {@code cache}), and what is
 * particular to this one under {@code nvcache.*}.
 *
 * <p>Each meter name has one set of tag keys, as Prometheus demands; that is why the causes of
 * evictions are under {@code nvcache.evictions}. The cache is held weakly. A scrape takes one
 * snapshot, which serves all meters for {@value #SNAPSHOT_AGE_MILLIS} ms.
 *
 * <p>Nothing else in NVCache links to this class, and Micrometer is needed by its users only.
 */
public final class NvCacheMetrics extends CacheMeterBinder<BlockCache> {
  private static final long SNAPSHOT_AGE_MILLIS = 100;

  private volatile RecentStats recent = snapshotsOn(Clock.SYSTEM);

  /**
   * Makes a binder.
   *
   * @param cache the cache to watch
   * @param name the value of the tag {@code cache}
   * @param tags further tags of each meter
   */
  public NvCacheMetrics(BlockCache cache, String name, Iterable<Tag> tags) {
    super(cache, name, tags);
  }

  /**
   * Binds the cache to a registry.
   *
   * @return the cache
   */
  public static <C extends BlockCache> C monitor(MeterRegistry registry, C cache, String name) {
    new NvCacheMetrics(cache, name, Tags.empty()).bindTo(registry);
    return cache;
  }

  private static RecentStats snapshotsOn(Clock clock) {
    return new RecentStats(clock::monotonicTime, Duration.ofMillis(SNAPSHOT_AGE_MILLIS));
  }

  /** A dropped cache leaves its last counts to Micrometer, which no longer asks then. */
  private long count(ToLongFunction<CacheStats> what) {
    BlockCache cache = getCache();
    return cache == null ? 0 : what.applyAsLong(recent.of(cache));
  }

  @Override
  protected Long size() {
    return count(CacheStats::blocks);
  }

  @Override
  protected long hitCount() {
    return count(CacheStats::hits);
  }

  @Override
  protected Long missCount() {
    return count(CacheStats::misses);
  }

  @Override
  protected Long evictionCount() {
    return count(stats -> stats.evictions() + stats.displacements() + stats.rebalancings());
  }

  @Override
  protected long putCount() {
    return count(stats -> stats.offers(OfferResult.ADMITTED));
  }

  @Override
  protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
    BlockCache cache = getCache();
    if (cache == null) {
      return;
    }
    recent = snapshotsOn(registry.config().clock());
    Meters meters = new Meters(registry, cache, recent, Tags.of(getTagsWithCacheName()));
    bindMisses(meters);
    bindOffers(meters);
    bindEvictions(meters);
    bindMedium(meters);
    bindLevels(meters);
    HealthMeters.bind(registry, cache, Tags.of(getTagsWithCacheName()));
    bindSettings(meters);
    bindConditions(meters);
    new ShadowMeters(registry, cache, Tags.of(getTagsWithCacheName())).bind();
  }

  private static void bindOffers(Meters meters) {
    for (OfferResult result : OfferResult.values()) {
      if (result != OfferResult.ADMITTED && result != OfferResult.ALREADY_CACHED) {
        meters.count(
            "nvcache.bypasses",
            "Offered blocks that were not taken",
            tag("reason", result),
            stats -> stats.offers(result));
      }
    }
    for (Source source : Source.values()) {
      meters.count(
          "nvcache.offers", "Offered blocks", tag("source", source), stats -> stats.offers(source));
    }
  }

  private static void bindMisses(Meters meters) {
    for (MissReason reason : MissReason.values()) {
      meters.countLedger(
          "nvcache.misses",
          "Lookups that did not find their block",
          tag("reason", reason),
          ledger -> ledger.misses(reason));
    }
  }

  private static void bindConditions(Meters meters) {
    for (Condition condition : Condition.values()) {
      meters.gaugeOf(
          "nvcache.condition",
          "1 while the cache is in this condition, else 0",
          tag("condition", condition),
          cache -> cache.conditions().containsKey(condition) ? 1 : 0);
    }
  }

  private static void bindSettings(Meters meters) {
    meters.gaugeOf(
        "nvcache.overhead.target",
        "Medium writes per lookup above which nothing is admitted, as a ratio",
        Tags.empty(),
        cache -> cache.settings().overheadTarget());
    meters.gaugeBytesOf(
        "nvcache.write.limit.second",
        "What may be written to the medium in a second; 0 is no limit",
        cache -> cache.settings().writeLimitBytesPerSecond());
    meters.gaugeBytesOf(
        "nvcache.write.limit.day",
        "What may be written to the medium in a day; 0 is no limit",
        cache -> cache.settings().writeLimitBytesPerDay());
  }

  private static void bindEvictions(Meters meters) {
    String description = "Evicted blocks";
    meters.count(
        "nvcache.evictions", description, Tags.of("cause", "policy"), CacheStats::evictions);
    meters.count(
        "nvcache.evictions", description, Tags.of("cause", "displaced"), CacheStats::displacements);
    meters.count(
        "nvcache.evictions", description, Tags.of("cause", "rebalanced"), CacheStats::rebalancings);
    meters.count(
        "nvcache.evictions.deferred",
        "Evictions not done because overhead was over the target",
        Tags.empty(),
        CacheStats::deferredEvictions);
    meters.count(
        "nvcache.invalidations",
        "Blocks forgotten on the store's word",
        Tags.empty(),
        CacheStats::invalidations);
  }

  private static void bindMedium(Meters meters) {
    meters.countBytes(
        "nvcache.medium.read.bytes", "Bytes read from the medium", CacheStats::mediumReadBytes);
    meters.countBytes(
        "nvcache.medium.written.bytes",
        "Bytes written to the medium",
        CacheStats::mediumWrittenBytes);
    meters.count(
        "nvcache.medium.failures",
        "Reads and writes that the medium failed",
        Tags.empty(),
        CacheStats::mediumFailures);
    meters.count(
        "nvcache.pins.refused",
        "Lookups refused because leases hold all the bytes they may",
        Tags.empty(),
        CacheStats::refusedPins);
    meters.count(
        "nvcache.lookups.contended",
        "Lookups answered with a miss because writers kept the bucket busy",
        Tags.empty(),
        CacheStats::contendedLookups);
  }

  private static void bindLevels(Meters meters) {
    meters.gauge(
        "nvcache.overhead",
        "Medium writes per lookup, as a ratio, as admission sees it",
        null,
        CacheStats::overhead);
    meters.gaugeBytes("nvcache.used.bytes", "Medium in use", CacheStats::usedBytes);
    meters.gaugeBytes("nvcache.capacity.bytes", "Medium", CacheStats::capacityBytes);
    meters.gaugeBytes("nvcache.block.bytes", "Blocks cached", CacheStats::blockBytes);
    meters.gaugeBytes("nvcache.pinned.bytes", "Held by leases", CacheStats::pinnedBytes);
    meters.gaugeBytes(
        "nvcache.metadata.bytes", "DRAM of index, allocator, policies", CacheStats::metadataBytes);
    meters.gaugeBytes(
        "nvcache.dataset.bytes",
        "Files that the store serves; NaN if unknown",
        stats -> stats.dataSetBytes() == DataSet.UNKNOWN ? Double.NaN : stats.dataSetBytes());
  }

  private static Tags tag(String key, Enum<?> value) {
    return Tags.of(key, value.name().toLowerCase(Locale.ROOT));
  }

  /** Registers meters that read the recent snapshot and hold the cache weakly. */
  private record Meters(MeterRegistry registry, BlockCache cache, RecentStats recent, Tags tags) {
    void count(String name, String description, Tags more, ToDoubleFunction<CacheStats> value) {
      register(name, description, null, more, value);
    }

    void countBytes(String name, String description, ToDoubleFunction<CacheStats> value) {
      register(name, description, "bytes", Tags.empty(), value);
    }

    private void register(
        String name,
        String description,
        @Nullable String unit,
        Tags more,
        ToDoubleFunction<CacheStats> value) {
      RecentStats snapshots = recent; // not this record: it holds the cache
      FunctionCounter.builder(name, cache, live -> value.applyAsDouble(snapshots.of(live)))
          .description(description)
          .baseUnit(unit)
          .tags(tags.and(more))
          .register(registry);
    }

    void countLedger(
        String name, String description, Tags more, ToDoubleFunction<ReasonLedger> value) {
      RecentStats snapshots = recent;
      FunctionCounter.builder(name, cache, live -> value.applyAsDouble(snapshots.ledgerOf(live)))
          .description(description)
          .tags(tags.and(more))
          .register(registry);
    }

    void gaugeOf(String name, String description, Tags more, ToDoubleFunction<BlockCache> value) {
      Gauge.builder(name, cache, value)
          .description(description)
          .tags(tags.and(more))
          .register(registry);
    }

    void gaugeBytesOf(String name, String description, ToDoubleFunction<BlockCache> value) {
      Gauge.builder(name, cache, value)
          .description(description)
          .baseUnit("bytes")
          .tags(tags)
          .register(registry);
    }

    void gaugeBytes(String name, String description, ToDoubleFunction<CacheStats> value) {
      gauge(name, description, "bytes", value);
    }

    void gauge(
        String name,
        String description,
        @Nullable String unit,
        ToDoubleFunction<CacheStats> value) {
      RecentStats snapshots = recent;
      Gauge.builder(name, cache, live -> value.applyAsDouble(snapshots.of(live)))
          .description(description)
          .baseUnit(unit)
          .tags(tags)
          .register(registry);
    }
  }
}
