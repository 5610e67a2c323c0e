// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.Tags;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.control.MissReason;
import io.nvcache.control.ReasonLedger;
import io.nvcache.stats.RecentStats;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The meters of what a cache counts, beyond {@link CommonMeters}; all from one snapshot. */
record StatsMeters(MeterGroup meters, RecentStats recent) {
  private static final String CARRIED =
      "Blocks written by compactions that were hot, by what became of them";

  void bind() {
    bindLookups();
    bindMisses();
    bindRewrites();
    bindOffers();
    bindEvictions();
    bindMedium();
    bindLevels();
  }

  private void bindLookups() {
    String description = "Lookups";
    count("nvcache.lookups", description, Tags.of("result", "hit"), CacheStats::hits);
    count("nvcache.lookups", description, Tags.of("result", "miss"), CacheStats::misses);
  }

  private void bindOffers() {
    count(
        "nvcache.admissions",
        "Offered blocks that were taken",
        Tags.empty(),
        stats -> stats.offers(OfferResult.ADMITTED));
    for (OfferResult result : OfferResult.values()) {
      if (result != OfferResult.ADMITTED && result != OfferResult.ALREADY_CACHED) {
        count(
            "nvcache.bypasses",
            "Offered blocks that were not taken",
            tag("reason", result),
            stats -> stats.offers(result));
      }
    }
    for (Source source : Source.values()) {
      count(
          "nvcache.offers", "Offered blocks", tag("source", source), stats -> stats.offers(source));
    }
  }

  private void bindMisses() {
    for (MissReason reason : MissReason.values()) {
      countLedger(
          "nvcache.misses",
          "Lookups that did not find their block",
          tag("reason", reason),
          ledger -> ledger.misses(reason));
    }
  }

  private void bindRewrites() {
    String description = "Blocks that compactions read";
    countLedger(
        "nvcache.rewrite.reads", description, Tags.of("result", "hit"), ReasonLedger::rewriteHits);
    countLedger(
        "nvcache.rewrite.reads",
        description,
        Tags.of("result", "miss"),
        ReasonLedger::rewriteMisses);
    for (OfferResult result : OfferResult.values()) {
      countLedger(
          "nvcache.carried",
          CARRIED,
          tag("result", result),
          ledger -> ledger.carried().getOrDefault(result, 0L));
    }
    countLeftOut("unreadable", ReasonLedger::unreadableOutputs);
    countLeftOut("no_room", ReasonLedger::roomlessOutputs);
    countLeftOut("unasked", ReasonLedger::unaskedOutputs);
  }

  private void countLeftOut(String why, ToDoubleFunction<ReasonLedger> count) {
    countLedger("nvcache.carried", CARRIED, Tags.of("result", why), count);
  }

  private void bindEvictions() {
    String description = "Evicted blocks";
    count("nvcache.evictions", description, Tags.of("cause", "policy"), CacheStats::evictions);
    count(
        "nvcache.evictions", description, Tags.of("cause", "displaced"), CacheStats::displacements);
    count(
        "nvcache.evictions", description, Tags.of("cause", "rebalanced"), CacheStats::rebalancings);
    count(
        "nvcache.evictions.deferred",
        "Evictions not done because overhead was over the target",
        Tags.empty(),
        CacheStats::deferredEvictions);
    count(
        "nvcache.invalidations",
        "Blocks forgotten on the store's word",
        Tags.empty(),
        CacheStats::invalidations);
  }

  private void bindMedium() {
    countBytes(
        "nvcache.medium.read.bytes", "Bytes read from the medium", CacheStats::mediumReadBytes);
    countBytes(
        "nvcache.medium.written.bytes",
        "Bytes written to the medium",
        CacheStats::mediumWrittenBytes);
    countBytes(
        "nvcache.device.written.bytes",
        "Bytes that the medium's device wrote, in whole units of it",
        CacheStats::deviceWrittenBytes);
    countBytes(
        "nvcache.reinserted.bytes",
        "Bytes of cached blocks written once more, since their regions were reclaimed",
        CacheStats::reinsertedBytes);
    countBytes(
        "nvcache.discarded.bytes",
        "Bytes of regions without blocks that the medium has discarded",
        CacheStats::discardedBytes);
    count(
        "nvcache.discard.failures",
        "Discards of regions that failed; after the first, no more are tried",
        Tags.empty(),
        CacheStats::discardFailures);
    count(
        "nvcache.medium.failures",
        "Reads and writes that the medium failed",
        Tags.empty(),
        CacheStats::mediumFailures);
    count(
        "nvcache.pins.refused",
        "Lookups refused because pins hold all the bytes they may",
        Tags.empty(),
        CacheStats::refusedPins);
    count(
        "nvcache.lookups.contended",
        "Lookups answered with a miss because writers kept the bucket busy",
        Tags.empty(),
        CacheStats::contendedLookups);
  }

  private void bindLevels() {
    gauge(
        "nvcache.overhead",
        "Medium writes per lookup, as a ratio, as admission sees it",
        null,
        stats -> stats.overhead().orElse(Double.NaN));
    gauge("nvcache.blocks", "Blocks cached", null, CacheStats::blocks);
    gaugeBytes("nvcache.used.bytes", "Medium in use", CacheStats::usedBytes);
    gaugeBytes("nvcache.capacity.bytes", "Medium", CacheStats::capacityBytes);
    gaugeBytes("nvcache.block.bytes", "Blocks cached", CacheStats::blockBytes);
    gaugeBytes("nvcache.pinned.bytes", "Held by pins", CacheStats::pinnedBytes);
    gaugeBytes(
        "nvcache.metadata.bytes", "DRAM of index, allocator, policies", CacheStats::metadataBytes);
    gaugeBytes(
        "nvcache.dataset.bytes",
        "Files that the store serves; NaN if unknown",
        stats -> stats.dataSetBytes().isPresent() ? stats.dataSetBytes().getAsLong() : Double.NaN);
  }

  private static Tags tag(String key, Enum<?> value) {
    return Tags.of(key, value.name().toLowerCase(Locale.ROOT));
  }

  private void count(
      String name, String description, Tags more, ToDoubleFunction<CacheStats> value) {
    RecentStats snapshots = recent; // Not this record, which a meter would hold.
    meters.count(name, description, null, more, cache -> value.applyAsDouble(snapshots.of(cache)));
  }

  private void countBytes(String name, String description, ToDoubleFunction<CacheStats> value) {
    RecentStats snapshots = recent;
    meters.count(
        name,
        description,
        "bytes",
        Tags.empty(),
        cache -> value.applyAsDouble(snapshots.of(cache)));
  }

  private void countLedger(
      String name, String description, Tags more, ToDoubleFunction<ReasonLedger> value) {
    RecentStats snapshots = recent;
    meters.count(
        name, description, null, more, cache -> value.applyAsDouble(snapshots.ledgerOf(cache)));
  }

  private void gaugeBytes(String name, String description, ToDoubleFunction<CacheStats> value) {
    gauge(name, description, "bytes", value);
  }

  private void gauge(
      String name, String description, @Nullable String unit, ToDoubleFunction<CacheStats> value) {
    RecentStats snapshots = recent;
    meters.gauge(
        name, description, unit, Tags.empty(), cache -> value.applyAsDouble(snapshots.of(cache)));
  }
}
