// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import static io.nvcache.stats.Stat.count;
import static io.nvcache.stats.Stat.level;
import static io.nvcache.stats.Stat.lower;
import static io.nvcache.stats.Stat.percent;
import static io.nvcache.stats.Stat.unnamed;

import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.control.MissReason;
import io.nvcache.control.ReasonLedger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The counts of lookups, offers and compactions: rows of the {@link StatTable}. */
final class CallRows {
  private CallRows() {}

  static List<Stat> lookups() {
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

  static List<Stat> offers() {
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

  static List<Stat> offersBySource() {
    return Arrays.stream(Source.values())
        .map(
            source ->
                unnamed(ledger -> ledger.stats().offers(source))
                    .entry("source." + lower(source))
                    .counter("nvcache.offers", "Offered blocks", "source", lower(source)))
        .toList();
  }

  static List<Stat> rewrites() {
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
}
