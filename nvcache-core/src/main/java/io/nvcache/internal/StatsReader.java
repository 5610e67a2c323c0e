// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.control.DataSet;
import io.nvcache.control.ReasonLedger;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.read.PinnedBytes;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.medium.DriveSet;
import io.nvcache.memory.CopyOrder;
import io.nvcache.stats.Counter;
import io.nvcache.stats.LedgerSnapshot;
import io.nvcache.stats.StatsSnapshot;
import io.nvcache.stats.StatsSnapshot.Level;
import io.nvcache.stats.StripedCounters;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.function.LongSupplier;

/** Puts a snapshot together. Reads only what stays readable after the cache is closed. */
final class StatsReader {
  /**
   * What goes out is read before what came in, so that a level made of both is never negative, and
   * hits before lookups.
   */
  private static final EnumSet<Counter> OUTGOING =
      EnumSet.of(
          Counter.EVICTIONS,
          Counter.DISPLACEMENTS,
          Counter.REBALANCINGS,
          Counter.INVALIDATIONS,
          Counter.QUARANTINES,
          Counter.DRIVE_LOSSES,
          Counter.DRIVE_LOST_BYTES,
          Counter.EVICTED_BYTES,
          Counter.INVALIDATED_BYTES,
          Counter.QUARANTINED_BYTES,
          Counter.HITS,
          Counter.HIT_BYTES);

  private final BlockTables tables;
  private final Policies policies;
  private final StripedCounters counters;
  private final DataSet dataSet;
  private final CallGate gate;
  private final LongSupplier copyBytes;
  private final long capacityBytes;
  private final DriveSet drives;

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
    this.drives = tables.space().medium().drives();
  }

  /** Asks once more what is about to be closed, while nothing else can. */
  void freeze() {
    askPolicies();
  }

  StatsSnapshot read() {
    Map<Level, Long> levels = new EnumMap<>(Level.class);
    Map<Counter, Long> counts = new EnumMap<>(Counter.class);
    levels.put(Level.DEAD_BLOCKS, tables.files().deadBlocks());
    OUTGOING.forEach(counter -> counts.put(counter, counters.sum(counter)));
    EnumSet.complementOf(OUTGOING).forEach(counter -> counts.put(counter, counters.sum(counter)));
    levels.put(Level.USED_BYTES, tables.blocks().usedBytes());
    levels.put(Level.CAPACITY_BYTES, capacityBytes - drives.lostBytes());
    levels.put(Level.PINNED_BYTES, PinnedBytes.pinnedBytes(counters));
    levels.put(Level.METADATA_BYTES, metadataBytes());
    return new StatsSnapshot(
        counts, levels, policies.admission().overhead(), dataSet.bytes(), CopyOrder.describe());
  }

  ReasonLedger readLedger() {
    return new LedgerSnapshot(read(), tables.files().blocks(), policies.failures().count());
  }

  private long metadataBytes() {
    return tables.index().metadataBytes()
        + tables.blocks().metadataBytes()
        + tables.files().metadataBytes()
        + copyBytes.getAsLong()
        + tables.space().medium().bufferBytes()
        + policyBytes();
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
}
