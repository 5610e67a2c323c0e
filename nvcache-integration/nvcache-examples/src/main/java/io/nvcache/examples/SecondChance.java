// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.SlotMarks;
import io.nvcache.eviction.Sweep;
import java.util.concurrent.atomic.AtomicLong;

/** The clock: a hand goes round the blocks and passes over each that was hit since it came by. */
final class SecondChance implements EvictionPolicy {
  private static final int EMPTY = 0;
  private static final int UNTOUCHED = 1;
  private static final int HIT = 2;

  private final int slots;
  private final SlotMarks marks; // A byte a slot, where a hit writes to a line that it has read.
  private final AtomicLong hand = new AtomicLong();

  SecondChance(EvictionContext context) {
    slots = context.slots();
    marks = context.marks();
  }

  @Override
  public void onAdmit(int slot) {
    marks.set(slot, UNTOUCHED);
  }

  @Override
  public void onHit(int slot) { // On the path of every hit: no lock, nothing allocated.
    if (marks.get(slot) == UNTOUCHED) {
      marks.set(slot, HIT);
    }
  }

  @Override
  public void onRemove(int slot) {
    marks.set(slot, EMPTY);
  }

  @Override
  public int victim() {
    for (long step = 0; step < 2L * slots; step++) {
      int slot = (int) (hand.getAndIncrement() % slots);
      int mark = marks.get(slot);
      if (mark == UNTOUCHED) {
        return slot; // Asked again if the block can't go, because it is pinned, say.
      }
      if (mark == HIT) {
        marks.set(slot, UNTOUCHED);
      }
    }
    return NO_VICTIM;
  }

  @Override
  public int worth(int slot) { // Of the few blocks whose places in the index a new one may take.
    return marks.get(slot);
  }

  @Override
  public void sweep(Sweep sweep) {} // Nothing to do over time.

  @Override
  public long metadataBytes() {
    return 0;
  }

  @Override
  public void close() {}
}
