// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import io.nvcache.eviction.Sweep;
import io.nvcache.internal.background.Maintenance;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.space.Allocator;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The background work: takes out the blocks of dropped files, empties extents that another size
 * class needs, and lets the eviction policy sweep.
 */
public final class Reclaimer {
  /** Once a second (SoCC '22, §3.1), whose length a policy may count on; a timer may be early. */
  private static final long SWEEP_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(990);

  private final BlockIndex index;
  private final Allocator allocator;
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
    this.allocator = tables.allocator();
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

  /** Does what there is to do now. */
  public synchronized void run() {
    counters.forgetDeadThreads();
    long now = nanoTime.getAsLong();
    deadBlocks.scan(files::deadBlocks, now, this::reclaimDropped);
    if (allocator.wantsDraining()
        && mayEvict()
        && allocator.beginDraining(this::forEachMovable) > 0) {
      try {
        slots.forEach(this::evictIfDraining);
      } finally { // Or what was chosen would be out of use for ever.
        allocator.endDraining();
      }
    }
    if (now - lastSweep >= SWEEP_PERIOD_NANOS) {
      lastSweep = now;
      sweep();
    }
  }

  private void sweep() {
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

  /** Slots of blocks that could be evicted now, as far as can be seen without locks. */
  private void forEachMovable(LongConsumer visitor) {
    slots.forEach(
        (slot, key, stripe) -> {
          long location = index.location(slot);
          if (allocator.isUnpinned(location)) {
            visitor.accept(location);
          }
        });
  }

  private void reclaimDropped(int from, int to) {
    slots.forEach(from, to, this::reclaimIfDropped);
  }

  private void reclaimIfDropped(int slot, long key, int stripe) {
    if (files.isDropped(BucketLayout.fileNumber(key))) {
      remover.reclaimIfDropped(slot, stripe);
    }
  }

  private void evictIfDraining(int slot, long key, int stripe) {
    if (allocator.isDraining(index.location(slot))) {
      remover.evictIfDraining(slot, Counter.REBALANCINGS, stripe);
    }
  }

  private boolean mayEvict() {
    if (admission.mayEvict()) {
      return true;
    }
    counters.add(counters.stripe(), Counter.DEFERRED_EVICTIONS, 1);
    return false;
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
      return allocator.usedBytes();
    }

    @Override
    public long capacityBytes() {
      checkOpen();
      return allocator.capacityBytes();
    }

    @Override
    public boolean mayEvict() {
      checkOpen();
      return Reclaimer.this.mayEvict();
    }

    @Override
    public boolean pinned(int slot) {
      checkOpen();
      Objects.checkIndex(slot, index.slots());
      return !allocator.isUnpinned(index.location(slot));
    }

    @Override
    public boolean evict(int slot) {
      checkOpen();
      gate.holders().refuseToWaitForItself(stripe); // From an onRemove that evict itself calls.
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
