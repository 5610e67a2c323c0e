// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import static io.nvcache.stats.Stat.count;
import static io.nvcache.stats.Stat.health;
import static io.nvcache.stats.Stat.ledger;
import static io.nvcache.stats.Stat.level;
import static io.nvcache.stats.Stat.number;
import static io.nvcache.stats.Stat.percent;
import static io.nvcache.stats.Stat.rounded;
import static io.nvcache.stats.Stat.shadows;

import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.Condition;
import io.nvcache.control.MissReason;
import io.nvcache.control.ReasonLedger;
import io.nvcache.control.ShadowReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The table of what is counted and measured of a cache: JMX, Micrometer, the ledger and the
 * reference pages follow it. A new counter is a constant in {@link Counter} and a row here:
 *
 * <pre>{@code
 * sum("DiscardFailures", "Discards of regions that failed.", Counter.DISCARD_FAILURES)
 *     .entry("failure.discard")
 *     .counter("nvcache.discard.failures")
 * }</pre>
 *
 * <p>Names that have been released stay: operators have them in dashboards, alerts and scripts.
 */
public final class StatTable {
  private static final List<Double> CURVE_SIZES = List.of(0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0);

  /** All rows. */
  public static final List<Stat> ROWS =
      Stream.of(
              lookups(),
              offers(),
              offersBySource(),
              removals(),
              medium(),
              restart(),
              levels(),
              rewrites(),
              service(),
              conditions(),
              miniatures())
          .flatMap(List::stream)
          .toList();

  private StatTable() {}

  private static List<Stat> lookups() {
    List<Stat> rows = new ArrayList<>();
    rows.addAll(
        List.of(
            count(
                "Lookups", "Calls of get and pin since the cache was built.", CacheStats::lookups),
            count("Hits", "Lookups that found their block.", CacheStats::hits)
                .entry("lookup.hit")
                .counter("nvcache.lookups", "Lookups", "result", "hit"),
            count(
                    "Misses",
                    "Lookups that did not find their block, whatever the reason.",
                    CacheStats::misses)
                .counter("nvcache.lookups", "Lookups", "result", "miss"),
            level(
                "HitRatioPercent",
                "Hits per lookup, in percent; 0 before the first lookup.",
                stats -> percent(stats.hitRatio())),
            count("HitBytes", "Bytes of the blocks found.", CacheStats::hitBytes),
            count(
                    "RefusedPins",
                    "Pins refused, or given as copies: pins hold all they may, or no memory is"
                        + " left.",
                    CacheStats::refusedPins)
                .counter(
                    "nvcache.pins.refused",
                    "Lookups refused because pins hold all the bytes they may"),
            count(
                    "ContendedLookups",
                    "Lookups that missed because their block or its bucket was changing.",
                    CacheStats::contendedLookups)
                .counter("nvcache.lookups.contended")));
    for (MissReason reason : MissReason.values()) {
      rows.add(
          unnamed(ledger -> ledger.misses(reason))
              .entry("lookup.miss." + lower(reason))
              .counter(
                  "nvcache.misses",
                  "Lookups that did not find their block",
                  "reason",
                  lower(reason)));
    }
    return rows;
  }

  private static List<Stat> offers() {
    return List.of(
        offers(OfferResult.ADMITTED, "OffersAdmitted", "Offers written to the medium, in blocks.")
            .counter("nvcache.admissions", "Offered blocks that were admitted"),
        offers(
            OfferResult.ALREADY_CACHED,
            "OffersAlreadyCached",
            "Offers of blocks that were already cached."),
        refused(
            OfferResult.BYPASSED_SMALL,
            "OffersBypassedSmall",
            "Offers refused because the data set fits in SmallBypassDramBytes."),
        refused(
            OfferResult.BYPASSED_OVERHEAD,
            "OffersBypassedOverhead",
            "Offers refused because medium writes per lookup are over OverheadTargetPercent."),
        refused(
            OfferResult.BYPASSED_WRITE_LIMIT,
            "OffersBypassedWriteLimit",
            "Offers refused because they would exceed WriteLimitBytesPerSecond or"
                + " WriteLimitBytesPerDay."),
        refused(
            OfferResult.NOT_WORTH_IT,
            "OffersNotWorthIt",
            "Offers refused because of their source, or because other blocks are worth more."),
        refused(
            OfferResult.TOO_LARGE,
            "OffersTooLarge",
            "Offers refused because the block is longer than maxBlockBytes."),
        refused(
            OfferResult.NO_SPACE,
            "OffersNoSpace",
            "Offers refused because there was no room and none could be made."),
        refused(
            OfferResult.MEDIUM_BUSY,
            "OffersMediumBusy",
            "Offers refused because as many threads write to the medium as it sustains."),
        refused(
            OfferResult.MEDIUM_FAILED,
            "OffersMediumFailed",
            "Offers whose write to the medium failed."),
        refused(
            OfferResult.OUT_OF_SERVICE,
            "OffersOutOfService",
            "Offers refused because the cache is out of service."),
        refused(OfferResult.CLOSED, "OffersClosed", "Offers made after the cache was closed."),
        count("AdmittedBytes", "Bytes of the admitted blocks.", CacheStats::admittedBytes)
            .entry("bytes.admitted"),
        level(
            "WritesPerLookup",
            "Blocks written to the medium per lookup, as a ratio.",
            CacheStats::writesPerLookup),
        level(
            "OverheadPercent",
            "Medium writes per lookup as the admission policy sees it, in percent;"
                + " NaN if it keeps no such ratio.",
            stats -> percent(stats.overhead().orElse(Double.NaN))),
        level("", "", stats -> stats.overhead().orElse(Double.NaN))
            .gauge(
                "nvcache.overhead", "Medium writes per lookup, as a ratio, as admission sees it"));
  }

  private static Stat refused(OfferResult result, String attribute, String description) {
    return offers(result, attribute, description)
        .counter("nvcache.bypasses", "Offered blocks that were refused", "reason", lower(result));
  }

  private static Stat offers(OfferResult result, String attribute, String description) {
    return count(attribute, description, stats -> stats.offers(result))
        .entry("offer." + lower(result));
  }

  private static List<Stat> offersBySource() {
    return Arrays.stream(Source.values())
        .map(
            source ->
                unnamed(ledger -> ledger.stats().offers(source))
                    .entry("source." + lower(source))
                    .counter("nvcache.offers", "Offered blocks", "source", lower(source)))
        .toList();
  }

  private static List<Stat> removals() {
    String evicted = "Evicted blocks";
    return List.of(
        count("Evictions", "Blocks evicted by the policy to make room.", CacheStats::evictions)
            .entry("removal.evicted")
            .counter("nvcache.evictions", evicted, "cause", "policy"),
        count(
                "Displacements",
                "Blocks evicted because the index had no slot for a new one.",
                CacheStats::displacements)
            .entry("removal.displaced")
            .counter("nvcache.evictions", evicted, "cause", "displaced"),
        count(
                "Rebalancings",
                "Blocks evicted to give their extent to another size class.",
                CacheStats::rebalancings)
            .entry("removal.rebalanced")
            .counter("nvcache.evictions", evicted, "cause", "rebalanced"),
        count(
                "EvictedBytes",
                "Bytes of all blocks evicted, displaced or rebalanced away.",
                CacheStats::evictedBytes)
            .entry("bytes.evicted"),
        count(
                "DeferredEvictions",
                "Times that an eviction was due and overhead was over OverheadTargetPercent.",
                CacheStats::deferredEvictions)
            .entry("eviction.deferred")
            .counter(
                "nvcache.evictions.deferred",
                "Times that an eviction was due and overhead was over the target"),
        count(
                "ImportantBytes",
                "Bytes of blocks that eviction passes over, since their store calls them"
                    + " important.",
                CacheStats::importantBytes)
            .gauge("nvcache.important.bytes", "Of blocks that eviction passes over"),
        count(
                "ImportantSpared",
                "Victims that were passed over, being important.",
                CacheStats::importantSpared)
            .entry("eviction.spared")
            .counter("nvcache.important.spared"),
        count(
                "ImportantDemoted",
                "Important blocks that became ordinary, past ImportantSharePercent.",
                CacheStats::importantDemoted)
            .entry("important.demoted")
            .counter("nvcache.important.demoted"),
        count("Invalidations", "Blocks that the store invalidated.", CacheStats::invalidations)
            .entry("removal.invalidated")
            .counter("nvcache.invalidations"),
        count(
                "InvalidatedBytes",
                "Bytes of the blocks that the store invalidated.",
                CacheStats::invalidatedBytes)
            .entry("bytes.invalidated"),
        unnamed(ReasonLedger::quarantinedBlocks).entry("removal.quarantined"),
        unnamed(ReasonLedger::quarantinedBytes).entry("bytes.quarantined"),
        unnamed(ReasonLedger::driveLossBlocks)
            .entry("removal.drive_lost")
            .counter("nvcache.drive.losses", "Blocks lost with one of several drives"),
        unnamed(ReasonLedger::driveLossBytes).entry("bytes.drive_lost"),
        ledger(
                "PolicyFailures",
                "Exceptions of policies, each of which cost them one decision.",
                ReasonLedger::policyFailures)
            .entry("failure.policy")
            .counter("nvcache.policy.failures"));
  }

  private static List<Stat> medium() {
    return List.of(
        count("MediumReadBytes", "Bytes read from the medium.", CacheStats::mediumReadBytes)
            .counter("nvcache.medium.read.bytes"),
        count("MediumWrittenBytes", "Bytes written to the medium.", CacheStats::mediumWrittenBytes)
            .entry("bytes.written")
            .counter("nvcache.medium.written.bytes"),
        count(
                "DeviceWrittenBytes",
                "Bytes that the medium's device wrote, in its whole units (4 KiB on most SSDs).",
                CacheStats::deviceWrittenBytes)
            .counter(
                "nvcache.device.written.bytes",
                "Bytes that the medium's device wrote, in its whole units"),
        level(
            "DeviceBytesPerAdmittedByte",
            "DeviceWrittenBytes divided by AdmittedBytes + ReinsertedBytes; 0 before the"
                + " first.",
            stats -> rounded(stats.deviceBytesPerAdmittedByte())),
        unnamed(ReasonLedger::wastedBytes).entry("bytes.wasted"),
        count(
                "Reinsertions",
                "Cached blocks written once more, since their regions were reclaimed.",
                CacheStats::reinsertions)
            .entry("blocks.reinserted"),
        count("ReinsertedBytes", "Bytes of the reinserted blocks.", CacheStats::reinsertedBytes)
            .entry("bytes.reinserted")
            .counter(
                "nvcache.reinserted.bytes",
                "Bytes of cached blocks written once more, since their regions were reclaimed"),
        count(
            "DiscardedRegions",
            "Regions without blocks that the medium has discarded.",
            CacheStats::discardedRegions),
        count(
                "DiscardedBytes",
                "Bytes of the discarded regions, without their headers.",
                CacheStats::discardedBytes)
            .entry("bytes.discarded")
            .counter(
                "nvcache.discarded.bytes",
                "Bytes of regions without blocks that the medium has discarded"),
        count(
                "DiscardFailures",
                "Discards of regions that failed; after the first, no more are tried.",
                CacheStats::discardFailures)
            .entry("failure.discard")
            .counter("nvcache.discard.failures"),
        count(
                "MediumFailures",
                "Reads and writes that the medium failed.",
                CacheStats::mediumFailures)
            .entry("failure.medium")
            .counter("nvcache.medium.failures"));
  }

  private static List<Stat> restart() {
    return List.of(
        count(
                "RestoredBlocks",
                "Blocks of an earlier cache that were found on the medium.",
                CacheStats::restoredBlocks)
            .entry("blocks.restored"),
        unnamed(ledger -> ledger.stats().restoredBytes()).entry("bytes.restored"));
  }

  private static List<Stat> levels() {
    return List.of(
        count("Blocks", "Blocks cached now.", CacheStats::blocks)
            .gauge("nvcache.blocks", "Blocks cached"),
        unnamed(ReasonLedger::liveBlocks).entry("blocks.live"),
        count("BlockBytes", "Bytes of the blocks cached now.", CacheStats::blockBytes)
            .entry("bytes.live")
            .gauge("nvcache.block.bytes", "Blocks cached"),
        count(
                "UsedBytes",
                "Bytes of the medium in use now, rounding included.",
                CacheStats::usedBytes)
            .entry("bytes.used")
            .gauge("nvcache.used.bytes", "Medium in use"),
        level(
            "UsedPercent",
            "UsedBytes in percent of CapacityBytes.",
            stats ->
                stats.capacityBytes() == 0
                    ? 0
                    : percent((double) stats.usedBytes() / stats.capacityBytes())),
        count("CapacityBytes", "Bytes of the medium.", CacheStats::capacityBytes)
            .gauge("nvcache.capacity.bytes", "Medium"),
        count("PinnedBytes", "Bytes held by pins now.", CacheStats::pinnedBytes)
            .gauge("nvcache.pinned.bytes", "Held by pins"),
        count(
                "MetadataBytes",
                "Bytes of DRAM of the index, the allocator, the file table, the policies and the"
                    + " buffers.",
                CacheStats::metadataBytes)
            .gauge("nvcache.metadata.bytes", "DRAM of index, allocator, policies"),
        count(
            "DataSetBytes",
            "Bytes of the files that the store serves; -1 if unknown.",
            stats -> stats.dataSetBytes().orElse(-1)),
        level(
                "",
                "",
                stats ->
                    stats.dataSetBytes().isPresent()
                        ? stats.dataSetBytes().getAsLong()
                        : Double.NaN)
            .gauge("nvcache.dataset.bytes", "Files that the store serves; NaN if unknown"));
  }

  private static List<Stat> rewrites() {
    String read = "Blocks that compactions read";
    List<Stat> rows = new ArrayList<>();
    rows.add(
        unnamed(ReasonLedger::rewriteHits)
            .entry("rewrite.hit")
            .counter("nvcache.rewrite.reads", read, "result", "hit"));
    rows.add(
        unnamed(ReasonLedger::rewriteMisses)
            .entry("rewrite.miss")
            .counter("nvcache.rewrite.reads", read, "result", "miss"));
    for (OfferResult result : OfferResult.values()) {
      rows.add(
          carried(unnamed(ledger -> ledger.carried().getOrDefault(result, 0L)), lower(result)));
    }
    rows.add(carried(unnamed(ReasonLedger::unreadableOutputs), "unreadable"));
    rows.add(carried(unnamed(ReasonLedger::roomlessOutputs), "no_room"));
    rows.add(carried(unnamed(ReasonLedger::unaskedOutputs), "unasked"));
    return rows;
  }

  private static Stat carried(Stat row, String result) {
    return row.entry("carried." + result)
        .counter(
            "nvcache.carried", "Hot blocks that compactions wrote, by outcome", "result", result);
  }

  private static List<Stat> service() {
    return List.of(
        health("", "", health -> health.inService() ? 1 : 0)
            .gauge(
                "nvcache.in.service",
                "1 while the cache asks its medium, 0 while it is out of service"),
        health("Outages", "Times that the cache went out of service.", CacheHealth::outages)
            .counter("nvcache.outages", "Times out of service"),
        health(
                "LostDrives",
                "Drives of several that are lost; Drives says why.",
                health -> health.drives().stream().filter(drive -> !drive.serves()).count())
            .gauge("nvcache.drives.lost", "Drives of several that are lost"),
        health(
                "RefusedLookups",
                "Lookups that missed because the cache was out of service.",
                CacheHealth::refusedLookups)
            .counter("nvcache.lookups.refused"),
        health(
                "StuckCalls",
                "Calls that had been inside for too long when the cache last looked.",
                CacheHealth::stuckCalls)
            .gauge("nvcache.stuck.calls", "Calls inside for too long"),
        health(
                "ChecksumFailures",
                "Reads whose bytes were not those written; misses.",
                CacheHealth::checksumFailures)
            .counter("nvcache.checksum.failures", "Reads whose bytes were not those written"),
        health(
            "QuarantinedBlocks",
            "Blocks removed because of checksum failures.",
            CacheHealth::quarantinedBlocks),
        health(
                "QuarantinedBytes",
                "Bytes of the blocks removed because of checksum failures.",
                CacheHealth::quarantinedBytes)
            .counter(
                "nvcache.quarantined.bytes",
                "Bytes of blocks removed because of checksum failures"),
        health(
            "IndexFaults",
            "Corrupt entries found in the index, if it is checked (debug).",
            CacheHealth::indexFaults),
        health(
            "SpaceFaults",
            "Writes to free space found, if it is poisoned (debug).",
            CacheHealth::spaceFaults),
        health(
            "OpenLeases", "Open pins, if they are tracked (debug); else 0.", CacheHealth::openPins),
        health(
                "SecondsSinceMaintenance",
                "Seconds since a round of the background work last ended with all it had to do.",
                CacheHealth::secondsSinceMaintenance)
            .gauge(
                "nvcache.maintenance.age", "Time since a round of the background work last ended"));
  }

  private static List<Stat> conditions() {
    return Arrays.stream(Condition.values())
        .map(
            condition ->
                number(
                        "",
                        "",
                        reading -> reading.control().conditions().containsKey(condition) ? 1 : 0)
                    .gauge(
                        "nvcache.condition",
                        "1 while the cache is in this condition, else 0",
                        "condition",
                        lower(condition)))
        .toList();
  }

  private static List<Stat> miniatures() {
    List<Stat> rows = new ArrayList<>();
    rows.add(
        shadows(
            "ShadowLookups",
            "Lookups of the cache since the shadows were started.",
            ShadowReport::lookups));
    rows.add(
        shadows(
            "ShadowSampledLookups",
            "Lookups of sampled keys since the shadows were started.",
            ShadowReport::sampledLookups));
    rows.add(
        shadows(
                "ShadowDroppedEvents",
                "Events of sampled keys that the shadows missed, being slower than the cache.",
                ShadowReport::droppedEvents)
            .counter("nvcache.shadow.dropped", "Events of sampled keys that the shadows missed"));
    rows.add(
        number("", "", reading -> reading.shadows().sampleRatio())
            .gauge(
                "nvcache.shadow.sample",
                "The part of the keys whose lookups feed the shadows; 0 when they are off"));
    for (double size : CURVE_SIZES) {
      String tag = size < 1 ? Double.toString(size) : Long.toString((long) size);
      rows.add(
          curve(report -> at(size, report))
              .gauge(
                  "nvcache.curve.hit.ratio",
                  "Hit ratio of the cache's own policies at a multiple of its size",
                  "size",
                  tag));
      rows.add(
          curve(report -> lruAt(size, report))
              .gauge(
                  "nvcache.curve.lru.hit.ratio",
                  "Hit ratio of LRU that takes every block, at a multiple of the size",
                  "size",
                  tag));
    }
    return rows;
  }

  private static Stat curve(Function<ShadowReport, Number> hitRatio) {
    return number("", "", reading -> hitRatio.apply(reading.shadows()));
  }

  private static double at(double size, ShadowReport report) {
    return report.sizes().stream()
        .filter(candidate -> candidate.sizeFactor() == size)
        .mapToDouble(ShadowReport.Candidate::hitRatio)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static double lruAt(double size, ShadowReport report) {
    return report.lru().stream()
        .filter(point -> Math.abs(point.sizeFactor() / size - 1) < 1e-6)
        .mapToDouble(ShadowReport.Point::hitRatio)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static Stat unnamed(ToLongFunction<ReasonLedger> count) {
    return ledger("", "", count);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
