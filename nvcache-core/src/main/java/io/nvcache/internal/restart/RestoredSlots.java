// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.internal.gate.LockHolders;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.remove.SlotEvents;

/**
 * Passes restored blocks on to the eviction policy, with the marks that an earlier one gave them.
 * Used by one thread at a time.
 */
public final class RestoredSlots implements BlockIndex.SlotListener {
  private final SlotEvents events;
  private final GuardedEviction eviction;
  private final LockHolders holders;
  private int mark;

  public RestoredSlots(SlotEvents events) {
    this.events = events;
    this.eviction = events.eviction();
    this.holders = events.holders();
  }

  /** Sets the mark of the next block. */
  public RestoredSlots withMark(int nextMark) {
    mark = nextMark;
    return this;
  }

  @Override
  public void inserted(int slot) {
    int place = holders.enter();
    try {
      eviction.onRestore(slot, mark);
    } finally {
      holders.leave(place);
    }
  }

  @Override
  public void removed(int slot, long key) {
    events.removed(slot, key);
  }
}
