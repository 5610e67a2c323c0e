// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import org.jspecify.annotations.Nullable;

/**
 * Shows the slots of the index that seem to hold a block. Passes through the gate every few
 * thousand slots, so that closing never waits for a whole pass.
 */
public final class SlotScan {
  private static final int CHUNK_SLOTS = 1 << 12;

  private final BlockIndex index;
  private final CallGate gate;

  public SlotScan(BlockIndex index, CallGate gate) {
    this.index = index;
    this.gate = gate;
  }

  /** Looks at a slot, inside the gate. */
  public interface Visitor {
    /**
     * Looks at a slot.
     *
     * @param key a guess without the bucket's lock; a removal looks again inside it
     */
    void visit(int slot, long key, int stripe);
  }

  /** Shows all slots; false if the cache was closed before the last one. */
  public boolean forEach(Visitor visitor) {
    return forEach(0, index.slots(), visitor);
  }

  /** Shows the slots of a range; false if the cache was closed before the last one. */
  public boolean forEach(int first, int end, Visitor visitor) {
    for (int from = first; from < end; from += Math.min(end - from, CHUNK_SLOTS)) {
      if (!show(null, from, from + Math.min(end - from, CHUNK_SLOTS), visitor)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Shows some of the slots that a list has; false if the cache was closed before.
   *
   * @param from the place in the list to begin with
   * @param to the place to end before, some dozens further
   */
  public boolean forEach(int[] list, int from, int to, Visitor visitor) {
    return show(list, from, to, visitor);
  }

  private boolean show(int @Nullable [] list, int from, int to, Visitor visitor) {
    int stripe = gate.begin();
    try {
      if (gate.isClosed()) {
        return false;
      }
      for (int i = from; i < to; i++) {
        int slot = list == null ? i : list[i];
        long key = index.key(slot);
        if (key != BucketLayout.EMPTY_KEY) {
          visitor.visit(slot, key, stripe);
        }
      }
      return true;
    } finally {
      gate.end(stripe);
    }
  }
}
