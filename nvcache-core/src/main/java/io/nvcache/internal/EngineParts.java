// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.remove.MediumFailureHandler;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.remove.SlotEvents;
import io.nvcache.internal.remove.SlotScan;
import io.nvcache.internal.space.BlockTables;

/** The parts of an engine that look blocks up, offer and remove them. */
final class EngineParts {
  final EngineBase base;
  final BlockTables tables;
  final Policies policies;
  final SlotEvents events;
  final SlotScan slots;
  final Remover remover;
  final MediumFailureHandler mediumFailures;

  EngineParts(EngineBase base, BlockTables tables, Policies policies) {
    this.base = base;
    this.tables = tables;
    this.policies = policies;
    this.events = new SlotEvents(policies.eviction(), tables.files(), base.gate().holders());
    this.slots = new SlotScan(tables.index(), base.gate());
    this.remover = new Remover(tables, base.counters(), events);
    this.mediumFailures =
        new MediumFailureHandler(base.counters(), base.guard(), tables.blocks(), remover);
  }
}
