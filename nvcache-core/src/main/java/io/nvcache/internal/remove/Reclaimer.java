// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import io.nvcache.eviction.Sweep;
import io.nvcache.internal.background.Maintenance;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.space.BlockSpace;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The background work on entries: takes out the blocks of dropped files, and lets the eviction
 * policy sweep.
 */
public final class Reclaimer {
  /** Once a second (SoCC '22, §3.1), whose length a policy may count on; a timer may be early. */
  private static final long SWEEP_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(990);

  private final BlockIndex index;
  private final LocationCodec locations;
  private final BlockSpace blocks;
  private final FileTable files;
  private final GuardedAdmission admission;
  private final GuardedEviction eviction;
  private final StripedCounters counters;
  private final Remover remover;
  private final CallGate gate;
  private final SlotScan slots;
  private final LongSupplier nanoTime;
  private final DeadBlocks deadBlocks;
  private long lastSweep;

  public Reclaimer(
      BlockTables tables,
      Policies policies,
      StripedCounters counters,
      Remover remover,
      CallGate gate,
      Maintenance maintenance,
      LongSupplier nanoTime) {
    this.index = tables.index();
    this.locations = tables.locations();
    this.blocks = tables.blocks();
    this.files = tables.files();
    this.admission = policies.admission();
    this.eviction = policies.eviction();
    this.counters = counters;
    this.remover = remover;
    this.gate = gate;
    this.slots = new SlotScan(index, gate);
    this.nanoTime = nanoTime;
    this.lastSweep = nanoTime.getAsLong();
    int leastSlots = maintenance == Maintenance.BY_CALLER ? index.slots() : DeadBlocks.LEAST_SLOTS;
    this.deadBlocks = new DeadBlocks(index.slots(), leastSlots, lastSweep);
  }

  /** Takes out blocks of dropped files. */
  public synchronized void reclaim() {
    counters.forgetDeadThreads();
    deadBlocks.scan(files::deadBlocks, nanoTime.getAsLong(), this::reclaimDropped);
  }

  /** Lets the eviction policy sweep, once a second. */
  public synchronized void sweep() {
    long now = nanoTime.getAsLong();
    if (now - lastSweep >= SWEEP_PERIOD_NANOS) {
      lastSweep = now;
      sweepNow();
    }
  }

  private void sweepNow() {
    int stripe = gate.begin();
    try {
      if (!gate.isClosed()) {
        sweep(new PolicySweep(stripe));
      }
    } finally {
      gate.end(stripe);
    }
  }

  private void sweep(PolicySweep sweep) {
    try {
      eviction.sweep(sweep);
    } finally {
      sweep.over = true;
    }
  }

  private void reclaimDropped(int from, int to) {
    slots.forEach(from, to, remover::reclaimIfDropped);
  }

  /** For the time of one call and for its thread, since it touches memory that the gate guards. */
  private final class PolicySweep implements Sweep {
    private final int stripe;
    private final Thread sweeper = Thread.currentThread();
    private boolean over;

    PolicySweep(int stripe) {
      this.stripe = stripe;
    }

    @Override
    public long usedBytes() {
      checkOpen();
      return blocks.usedBytes();
    }

    @Override
    public long capacityBytes() {
      checkOpen();
      return locations.capacityBytes();
    }

    @Override
    public boolean mayEvict() {
      checkOpen();
      return admission.mayEvict();
    }

    @Override
    public boolean pinned(int slot) {
      checkOpen();
      Objects.checkIndex(slot, index.slots());
      return !blocks.isUnpinned(index.location(slot));
    }

    @Override
    public boolean evict(int slot) {
      checkOpen();
      gate.holders().refuseToWaitForItself(stripe); // From an onRemove that evict itself calls.
      if (eviction.important().isSpared(slot)) {
        eviction.important().spared();
        return false;
      }
      return remover.evict(slot, Counter.EVICTIONS, stripe);
    }

    private void checkOpen() {
      if (Thread.currentThread() != sweeper || over) {
        throw new IllegalStateException(
            "the sweep is over, or another thread's; use it within EvictionPolicy.sweep");
      }
    }
  }
}
