// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.remove.SlotScan;
import io.nvcache.stats.Counter;
import java.util.function.LongConsumer;

/**
 * The background work on slots: empties extents that blocks of another size need. One thread at a
 * time.
 */
public final class SlotRebalancing {
  private final BlockIndex index;
  private final Allocator allocator;
  private final GuardedAdmission admission;
  private final Remover remover;
  private final SlotScan slots;
  private final BlockIndex.Removal ifDraining;

  public SlotRebalancing(
      BlockIndex index,
      Allocator allocator,
      GuardedAdmission admission,
      Remover remover,
      SlotScan slots) {
    this.index = index;
    this.allocator = allocator;
    this.admission = admission;
    this.remover = remover;
    this.slots = slots;
    this.ifDraining = (key, location) -> allocator.isDraining(location);
  }

  /** Does what there is to do now. */
  synchronized void run() {
    if (allocator.wantsDraining()
        && admission.mayEvict()
        && allocator.beginDraining(this::forEachMovable) > 0) {
      try {
        slots.forEach(this::evictIfDraining);
      } finally { // Or what was chosen would be out of use for ever.
        allocator.endDraining();
      }
    }
  }

  /** Slots of blocks that could be evicted now, by what is seen without locks. */
  private void forEachMovable(LongConsumer visitor) {
    slots.forEach(
        (slot, key, stripe) -> {
          long location = index.location(slot);
          if (allocator.isUnpinned(location)) {
            visitor.accept(location);
          }
        });
  }

  private void evictIfDraining(int slot, long key, int stripe) {
    if (allocator.isDraining(index.location(slot))) {
      remover.evictFrom(ifDraining, slot, Counter.REBALANCINGS, stripe);
    }
  }
}
