// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.SlotMarks;
import io.nvcache.eviction.Sweep;

/**
 * SIEVE: Y. Zhang et al., "SIEVE is Simpler than LRU", NSDI 2024. One queue in the order of
 * admission; a hit sets a bit; the hand goes from the oldest to the newest, clears bits, and gives
 * the first block without one. Blocks that it spares stay where they are.
 */
public final class SieveEviction implements EvictionPolicy {
  private static final int UNVISITED = 0;
  private static final int VISITED = 1;

  private final SlotMarks marks;
  private final SlotQueue queue;
  private int hand = SlotQueue.NONE;

  public SieveEviction(EvictionContext context) {
    this.marks = context.marks();
    this.queue = new SlotQueue(context.slots());
  }

  @Override
  public synchronized void onAdmit(int slot) {
    marks.set(slot, UNVISITED);
    queue.putFirst(slot);
  }

  @Override
  public void onHit(int slot) {
    if (marks.get(slot) == UNVISITED) {
      marks.set(slot, VISITED);
    }
  }

  @Override
  public synchronized void onRemove(int slot) {
    if (slot == hand) {
      hand = queue.before(slot);
    }
    queue.remove(slot);
  }

  @Override
  public synchronized int victim() {
    if (queue.size() == 0) {
      return NO_VICTIM;
    }
    int slot = handOrLast(hand);
    // A second round finds all bits cleared, unless hits come in between.
    for (int step = 2 * queue.size(); marks.get(slot) == VISITED && step > 0; step--) {
      marks.set(slot, UNVISITED);
      slot = handOrLast(queue.before(slot));
    }
    hand = queue.before(slot);
    return slot;
  }

  private int handOrLast(int slot) {
    return slot == SlotQueue.NONE ? queue.last() : slot;
  }

  @Override
  public synchronized int worth(int slot) {
    return marks.get(slot) == VISITED ? Integer.MAX_VALUE : queue.order(slot);
  }

  @Override
  public void sweep(Sweep sweep) {}

  @Override
  public long metadataBytes() {
    return queue.metadataBytes();
  }

  @Override
  public void close() {}
}
