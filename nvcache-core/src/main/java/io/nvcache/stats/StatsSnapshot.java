// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.control.MissReason;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The values of a {@link CacheStats}, which documents them, each of the counters that make it up.
 *
 * @param counts one that is missing is 0
 * @param levels one that is missing is 0
 */
public record StatsSnapshot(
    Map<Counter, Long> counts,
    Map<Level, Long> levels,
    OptionalDouble overhead,
    OptionalLong dataSetBytes,
    String copyOrder)
    implements CacheStats {
  /** What is read of a cache's parts, since no counter has it. */
  public enum Level {
    /** Blocks of invalidated files that are not reclaimed yet. */
    DEAD_BLOCKS,
    USED_BYTES,
    CAPACITY_BYTES,
    PINNED_BYTES,
    METADATA_BYTES
  }

  /** Copies the maps. */
  public StatsSnapshot {
    counts = Map.copyOf(counts);
    levels = Map.copyOf(levels);
  }

  /** Returns the sum of some counters. */
  public long sum(Counter... some) {
    long sum = 0;
    for (Counter counter : some) {
      sum += counts.getOrDefault(counter, 0L);
    }
    return sum;
  }

  long level(Level level) {
    return levels.getOrDefault(level, 0L);
  }

  /** Returns a number for each constant. */
  static <E extends Enum<E>> Map<E, Long> each(Class<E> type, ToLongFunction<E> number) {
    Map<E, Long> each = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      each.put(constant, number.applyAsLong(constant));
    }
    return Collections.unmodifiableMap(each);
  }

  Map<MissReason, Long> missesByReason() {
    return each(MissReason.class, reason -> sum(Counter.of(reason)));
  }

  @Override
  public long lookups() {
    return sum(Counter.LOOKUPS, Counter.LATE_LOOKUPS);
  }

  @Override
  public long hits() {
    return sum(Counter.HITS);
  }

  @Override
  public long misses() {
    return missesByReason().values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public long hitBytes() {
    return sum(Counter.HIT_BYTES);
  }

  @Override
  public long refusedPins() {
    return sum(Counter.REFUSED_PINS);
  }

  @Override
  public long contendedLookups() {
    return sum(Counter.MISSES_CONTENDED);
  }

  @Override
  public Map<OfferResult, Long> offers() {
    return each(OfferResult.class, this::offers);
  }

  @Override
  public long offers(OfferResult result) {
    return sum(Counter.of(result));
  }

  @Override
  public Map<Source, Long> offersBySource() {
    return each(Source.class, this::offers);
  }

  @Override
  public long offers(Source source) {
    return sum(Counter.of(source));
  }

  @Override
  public long admittedBytes() {
    return sum(Counter.ADMITTED_BYTES);
  }

  @Override
  public long evictions() {
    return sum(Counter.EVICTIONS);
  }

  @Override
  public long displacements() {
    return sum(Counter.DISPLACEMENTS);
  }

  @Override
  public long rebalancings() {
    return sum(Counter.REBALANCINGS);
  }

  @Override
  public long evictedBytes() {
    return sum(Counter.EVICTED_BYTES);
  }

  @Override
  public long invalidations() {
    return sum(Counter.INVALIDATIONS);
  }

  @Override
  public long invalidatedBytes() {
    return sum(Counter.INVALIDATED_BYTES);
  }

  @Override
  public long importantBytes() {
    return sum(Counter.IMPORTANT_BYTES);
  }

  @Override
  public long importantSpared() {
    return sum(Counter.IMPORTANT_SPARED);
  }

  @Override
  public long importantDemoted() {
    return sum(Counter.IMPORTANT_DEMOTED);
  }

  @Override
  public long deferredEvictions() {
    return sum(Counter.DEFERRED_EVICTIONS);
  }

  @Override
  public long mediumReadBytes() {
    return sum(Counter.HIT_BYTES, Counter.TORN_READ_BYTES, Counter.REWRITE_HIT_BYTES);
  }

  @Override
  public long mediumWrittenBytes() {
    return sum(Counter.MEDIUM_WRITTEN_BYTES);
  }

  @Override
  public long deviceWrittenBytes() {
    return sum(Counter.DEVICE_WRITTEN_BYTES);
  }

  @Override
  public long reinsertions() {
    return sum(Counter.REINSERTIONS);
  }

  @Override
  public long reinsertedBytes() {
    return sum(Counter.REINSERTED_BYTES);
  }

  @Override
  public long restoredBlocks() {
    return sum(Counter.RESTORED);
  }

  @Override
  public long restoredBytes() {
    return sum(Counter.RESTORED_BYTES);
  }

  @Override
  public long discardedRegions() {
    return sum(Counter.DISCARDED_REGIONS);
  }

  @Override
  public long discardedBytes() {
    return sum(Counter.DISCARDED_BYTES);
  }

  @Override
  public long discardFailures() {
    return sum(Counter.DISCARD_FAILURES);
  }

  @Override
  public long mediumFailures() {
    return sum(Counter.MEDIUM_FAILURES);
  }

  @Override
  public long blocks() {
    long came = sum(Counter.OFFERS_ADMITTED, Counter.RESTORED);
    long went =
        sum(
            Counter.EVICTIONS,
            Counter.DISPLACEMENTS,
            Counter.REBALANCINGS,
            Counter.INVALIDATIONS,
            Counter.QUARANTINES,
            Counter.DRIVE_LOSSES);
    return Math.max(0, came - went - level(Level.DEAD_BLOCKS));
  }

  @Override
  public long blockBytes() {
    long came = sum(Counter.ADMITTED_BYTES, Counter.RESTORED_BYTES);
    long went =
        sum(
            Counter.EVICTED_BYTES,
            Counter.INVALIDATED_BYTES,
            Counter.QUARANTINED_BYTES,
            Counter.DRIVE_LOST_BYTES);
    return Math.max(0, came - went);
  }

  @Override
  public long usedBytes() {
    return level(Level.USED_BYTES);
  }

  @Override
  public long capacityBytes() {
    return level(Level.CAPACITY_BYTES);
  }

  @Override
  public long pinnedBytes() {
    return level(Level.PINNED_BYTES);
  }

  @Override
  public long metadataBytes() {
    return level(Level.METADATA_BYTES);
  }
}
