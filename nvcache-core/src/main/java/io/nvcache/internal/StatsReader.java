// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.control.DataSet;
import io.nvcache.control.MissReason;
import io.nvcache.control.ReasonLedger;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.read.PinnedBytes;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.RegionSpace;
import io.nvcache.memory.CopyOrder;
import io.nvcache.stats.Counter;
import io.nvcache.stats.LedgerSnapshot;
import io.nvcache.stats.StatsSnapshot;
import io.nvcache.stats.StripedCounters;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Puts a snapshot together. Reads only what stays readable after the cache is closed. */
final class StatsReader {
  private final BlockTables tables;
  private final Policies policies;
  private final StripedCounters counters;
  private final DataSet dataSet;
  private final CallGate gate;
  private final LongSupplier copyBytes;
  private final long capacityBytes;

  /** What the policies said last. */
  private volatile long policyBytes;

  /**
   * Makes a reader of one cache.
   *
   * @param copyBytes what copies of blocks take that calls and pins work on
   */
  StatsReader(
      BlockTables tables,
      Policies policies,
      StripedCounters counters,
      DataSet dataSet,
      CallGate gate,
      LongSupplier copyBytes) {
    this.tables = tables;
    this.policies = policies;
    this.counters = counters;
    this.dataSet = dataSet;
    this.gate = gate;
    this.copyBytes = copyBytes;
    this.capacityBytes = tables.space().medium().capacityBytes();
  }

  /** Asks once more what is about to be closed, while nothing else can. */
  void freeze() {
    askPolicies();
  }

  CacheStats read() {
    // What goes out is read before what came in, so that a level made of both is never negative.
    long deadBlocks = tables.files().deadBlocks();
    long outBlocks =
        sum(Counter.EVICTIONS)
            + sum(Counter.DISPLACEMENTS)
            + sum(Counter.REBALANCINGS)
            + sum(Counter.INVALIDATIONS)
            + sum(Counter.QUARANTINES);
    long outBytes =
        sum(Counter.EVICTED_BYTES)
            + sum(Counter.INVALIDATED_BYTES)
            + sum(Counter.QUARANTINED_BYTES);
    long hits = sum(Counter.HITS);
    long hitBytes = sum(Counter.HIT_BYTES);
    Map<OfferResult, Long> offers = new EnumMap<>(OfferResult.class);
    for (OfferResult result : OfferResult.values()) {
      offers.put(result, sum(Counter.of(result)));
    }
    Map<Source, Long> offersBySource = new EnumMap<>(Source.class);
    for (Source source : Source.values()) {
      offersBySource.put(source, sum(Counter.of(source)));
    }
    long admittedBytes = sum(Counter.ADMITTED_BYTES);
    long restored = sum(Counter.RESTORED);
    long restoredBytes = sum(Counter.RESTORED_BYTES);
    return new StatsSnapshot(
        sum(Counter.LOOKUPS) + sum(Counter.LATE_LOOKUPS),
        hits,
        misses().values().stream().mapToLong(Long::longValue).sum(),
        hitBytes,
        sum(Counter.REFUSED_PINS),
        sum(Counter.CONTENDED_LOOKUPS),
        offers,
        offersBySource,
        admittedBytes,
        sum(Counter.EVICTIONS),
        sum(Counter.DISPLACEMENTS),
        sum(Counter.REBALANCINGS),
        sum(Counter.EVICTED_BYTES),
        sum(Counter.INVALIDATIONS),
        sum(Counter.INVALIDATED_BYTES),
        sum(Counter.DEFERRED_EVICTIONS),
        hitBytes + sum(Counter.TORN_READ_BYTES) + sum(Counter.REWRITE_HIT_BYTES),
        sum(Counter.MEDIUM_WRITTEN_BYTES),
        sum(Counter.DEVICE_WRITTEN_BYTES),
        sum(Counter.REINSERTIONS),
        sum(Counter.REINSERTED_BYTES),
        restored,
        restoredBytes,
        sum(Counter.DISCARDED_REGIONS),
        sum(Counter.DISCARDED_BYTES),
        sum(Counter.DISCARD_FAILURES),
        sum(Counter.MEDIUM_FAILURES),
        Math.max(
            0, offers.getOrDefault(OfferResult.ADMITTED, 0L) + restored - outBlocks - deadBlocks),
        Math.max(0, admittedBytes + restoredBytes - outBytes),
        tables.allocator().usedBytes(),
        capacityBytes,
        PinnedBytes.pinnedBytes(counters),
        metadataBytes(),
        policies.admission().overhead(),
        dataSet.bytes(),
        CopyOrder.describe());
  }

  private Map<MissReason, Long> misses() {
    Map<MissReason, Long> misses = new EnumMap<>(MissReason.class);
    for (MissReason reason : MissReason.values()) {
      misses.put(reason, sum(Counter.of(reason)));
    }
    return misses;
  }

  ReasonLedger readLedger() {
    Map<OfferResult, Long> carried = new EnumMap<>(OfferResult.class);
    for (OfferResult result : OfferResult.values()) {
      carried.put(result, sum(Counter.ofCarried(result)));
    }
    return new LedgerSnapshot(
        read(),
        misses(),
        sum(Counter.WASTED_BYTES),
        sum(Counter.QUARANTINES),
        sum(Counter.QUARANTINED_BYTES),
        tables.files().blocks(),
        policies.failures().count(),
        sum(Counter.REWRITE_HITS),
        sum(Counter.REWRITE_MISSES),
        sum(Counter.CARRIED_UNREADABLE),
        sum(Counter.CARRIED_NO_ROOM),
        sum(Counter.CARRIED_UNASKED),
        carried);
  }

  private long metadataBytes() {
    return tables.index().metadataBytes()
        + tables.allocator().metadataBytes()
        + tables.files().metadataBytes()
        + bufferBytes()
        + policyBytes();
  }

  private long bufferBytes() {
    RegionSpace regions = tables.regions();
    return copyBytes.getAsLong()
        + (regions == null ? 0 : regions.bufferBytes())
        + tables.space().medium().bufferBytes();
  }

  /** Inside the gate, since no method of a policy runs during its close, or after it. */
  private long policyBytes() {
    int stripe = gate.beginWithoutLocks();
    try {
      if (!gate.isClosed()) {
        askPolicies();
      }
    } finally {
      gate.end(stripe);
    }
    return policyBytes;
  }

  private void askPolicies() {
    policyBytes = policies.admission().metadataBytes() + policies.eviction().metadataBytes();
  }

  private long sum(Counter counter) {
    return counters.sum(counter);
  }
}
