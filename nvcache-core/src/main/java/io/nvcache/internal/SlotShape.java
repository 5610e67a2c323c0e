// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.VictimPricing;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.read.CopiedPins;
import io.nvcache.internal.read.Lookups;
import io.nvcache.internal.read.PinReads;
import io.nvcache.internal.read.PinnedMedium;
import io.nvcache.internal.read.RetainedPins;
import io.nvcache.internal.slots.Allocator;
import io.nvcache.internal.slots.RunAllocator;
import io.nvcache.internal.slots.SlabAllocator;
import io.nvcache.internal.slots.SlotAllocation;
import io.nvcache.internal.slots.SlotRebalancing;
import io.nvcache.internal.slots.SlotSpace;
import io.nvcache.internal.slots.SlotStore;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.space.Sizing;

/** Blocks in slots: the next victim of the eviction policy makes room for the next block. */
final class SlotShape implements Shape {
  private final VictimPricing pricing;
  private final Allocator allocator;
  private final SlotSpace space;
  private final BlockTables tables;

  /** Begins with slots that are all free; the price of room is the victim's. */
  SlotShape(Sizing sizing, EngineBase base, BlockIndex index, VictimPricing pricing) {
    this.pricing = pricing;
    this.allocator =
        sizing.cut() == Sizing.Cut.RUNS ? new RunAllocator(sizing) : new SlabAllocator(sizing);
    MediumSpace medium = new MediumSpace(base.medium(), allocator.locations());
    this.space = new SlotSpace(index, medium, allocator, base.guard(), base.scratch());
    this.tables = new BlockTables(index, base.newFiles(), allocator.locations(), medium, space);
  }

  @Override
  public VictimPricing pricing() {
    return pricing;
  }

  @Override
  public BlockTables tables() {
    return tables;
  }

  @Override
  public StoreParts store(EngineParts parts) {
    EngineBase base = parts.base;
    BlockIndex index = parts.tables.index();
    SlotStore store =
        new SlotStore(
            parts.tables.space(),
            allocator,
            new SlotAllocation(
                index, allocator, parts.policies.eviction(), parts.remover, base.settings()),
            new SlotRebalancing(
                index, allocator, parts.policies.admission(), parts.remover, parts.slots),
            base.counters(),
            parts.mediumFailures);
    return StoreParts.of(store);
  }

  @Override
  public PinReads pinReads(
      EngineParts parts, Lookups lookups, PinnedMedium medium, CopiedPins copied) {
    return new RetainedPins(
        parts.tables, space, parts.base.counters(), lookups, medium, parts.mediumFailures, copied);
  }
}
