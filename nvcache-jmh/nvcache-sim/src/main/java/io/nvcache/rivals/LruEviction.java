// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.Sweep;

/**
 * Least recently used, exactly; it takes a lock on every hit, which makes it a yardstick and
 * nothing to use.
 *
 * <p>A victim goes to the front at once: one that can't be evicted does not block the others.
 */
public final class LruEviction implements EvictionPolicy {
  private final SlotQueue queue;

  /** Blocks that could be admitted since a victim was last asked for; until then, unknown. */
  private long room = Long.MAX_VALUE / 2;

  public LruEviction(EvictionContext context) {
    this.queue = new SlotQueue(context.slots());
  }

  @Override
  public synchronized void onAdmit(int slot) {
    queue.putFirst(slot);
    room--;
  }

  @Override
  public synchronized void onHit(int slot) {
    if (queue.contains(slot)) {
      queue.putFirst(slot);
    }
  }

  @Override
  public synchronized void onRemove(int slot) {
    if (queue.remove(slot)) {
      room++;
    }
  }

  @Override
  public synchronized int victim() {
    room = 0;
    int victim = queue.last();
    if (victim == SlotQueue.NONE) {
      return NO_VICTIM;
    }
    queue.putFirst(victim);
    return victim;
  }

  /** The next victim if an insert would need one, as far as is known; else {@code NO_VICTIM}. */
  synchronized int nextVictim() {
    return room > 0 || queue.size() == 0 ? NO_VICTIM : queue.last();
  }

  @Override
  public synchronized int worth(int slot) {
    return queue.order(slot);
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
