// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.ycsb.store.HFileStore;
import io.nvcache.ycsb.store.HFileStore.DramTierStats;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What was counted up to a moment, or between two.
 *
 * @param operations operations that clients finished
 * @param lookups of the second tier
 * @param hits of the second tier
 * @param mediumWrittenBytes bytes written to the second tier's medium
 * @param offers to the second tier, by outcome
 * @param dramHits of the store's DRAM tier
 * @param dramMisses of the store's DRAM tier
 * @param diskReads blocks that the store read from the disk
 * @param diskReadBytes bytes of those
 * @param compactions that have committed
 * @param carriedBlocks that the second tier cached for the heat of what was merged into them
 */
public record Counters(
    long operations,
    long lookups,
    long hits,
    long mediumWrittenBytes,
    Map<OfferResult, Long> offers,
    long dramHits,
    long dramMisses,
    long diskReads,
    long diskReadBytes,
    long compactions,
    long carriedBlocks) {

  /** Copies the map. */
  public Counters {
    offers = Map.copyOf(offers);
  }

  static Counters of(long operations, HFileStore store, @Nullable BlockCache secondTier) {
    DramTierStats dram = store.dramTier();
    CacheStats cache = secondTier == null ? null : secondTier.stats();
    return new Counters(
        operations,
        cache == null ? 0 : cache.lookups(),
        cache == null ? 0 : cache.hits(),
        cache == null ? 0 : cache.mediumWrittenBytes(),
        cache == null ? Map.of() : cache.offers(),
        dram.hits(),
        dram.misses(),
        store.diskReads(),
        store.diskReadBytes(),
        store.compactions(),
        secondTier == null ? 0 : carriedBy(secondTier));
  }

  private static long carriedBy(BlockCache cache) {
    return cache.control().ledger().carried().getOrDefault(OfferResult.ADMITTED, 0L);
  }

  Counters plus(Counters other) {
    return with(other, Long::sum);
  }

  Counters since(Counters earlier) {
    return with(earlier, (now, before) -> now - before);
  }

  private Counters with(Counters other, LongBinaryOperator of) {
    Map<OfferResult, Long> offered = new EnumMap<>(OfferResult.class);
    for (OfferResult result : OfferResult.values()) {
      offered.put(result, of.applyAsLong(offers(result), other.offers(result)));
    }
    return new Counters(
        of.applyAsLong(operations, other.operations),
        of.applyAsLong(lookups, other.lookups),
        of.applyAsLong(hits, other.hits),
        of.applyAsLong(mediumWrittenBytes, other.mediumWrittenBytes),
        offered,
        of.applyAsLong(dramHits, other.dramHits),
        of.applyAsLong(dramMisses, other.dramMisses),
        of.applyAsLong(diskReads, other.diskReads),
        of.applyAsLong(diskReadBytes, other.diskReadBytes),
        of.applyAsLong(compactions, other.compactions),
        of.applyAsLong(carriedBlocks, other.carriedBlocks));
  }

  /** Offers with this outcome. */
  public long offers(OfferResult result) {
    return offers.getOrDefault(result, 0L);
  }

  /** Second-tier hits per lookup; NaN without lookups. */
  public double hitRatio() {
    return ratio(hits, lookups);
  }

  /** DRAM-tier hits per lookup; NaN without lookups. */
  public double dramHitRatio() {
    return ratio(dramHits, dramHits + dramMisses);
  }

  /** Blocks written to the medium per lookup, the paper's overhead; NaN without lookups. */
  public double writesPerLookup() {
    return ratio(offers(OfferResult.ADMITTED), lookups);
  }

  /** Blocks read from the disk per operation; NaN without operations. */
  public double diskReadsPerOperation() {
    return ratio(diskReads, operations);
  }

  private static double ratio(long part, long whole) {
    return whole == 0 ? Double.NaN : (double) part / whole;
  }
}
