// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.space.BlockStore;

/**
 * Allocates space for a block, and has victims of the eviction policy make room where there is
 * none. No lock is held while a victim is looked for.
 */
public final class SlotAllocation {
  /**
   * Victims asked for before an insert gives up. A victim frees the space of its slot, which may
   * not be what is wanted; it is then spared.
   */
  private static final int MAX_VICTIMS = 16;

  private final BlockIndex index;
  private final Allocator allocator;
  private final GuardedEviction eviction;
  private final Remover remover;
  private final EngineSettings settings;

  public SlotAllocation(
      BlockIndex index,
      Allocator allocator,
      GuardedEviction eviction,
      Remover remover,
      EngineSettings settings) {
    this.index = index;
    this.allocator = allocator;
    this.eviction = eviction;
    this.remover = remover;
    this.settings = settings;
  }

  /**
   * Returns the location of a free slot, or {@link Allocator#NO_SPACE}.
   *
   * @param hintSlot a slot of the index to look for a first victim near to, or {@link
   *     BlockStore#NO_HINT}
   */
  long allocate(int lengthBytes, int hintSlot, int stripe) {
    long location = allocator.allocate(lengthBytes);
    boolean gaveWay = false;
    boolean spared = false;
    for (int i = 0; location == Allocator.NO_SPACE && i < MAX_VICTIMS; i++) {
      int victim = victim(i == 0 ? hintSlot : BlockStore.NO_HINT);
      if (victim == EvictionPolicy.NO_VICTIM) {
        break;
      }
      if (allocator.wouldNotHelp(index.location(victim), lengthBytes)) {
        spared = true;
        continue;
      }
      long freed = remover.evictKeepingSpace(victim, stripe);
      if (freed != BlockIndex.NOT_REMOVED) {
        gaveWay = true;
        location = reallocate(freed, lengthBytes);
      }
    }
    if (location == Allocator.NO_SPACE) {
      if (gaveWay || isFragmented()) {
        allocator.recordShortage(lengthBytes, Allocator.Shortage.FRAGMENTED);
      } else if (spared) {
        allocator.recordShortage(lengthBytes, Allocator.Shortage.VICTIMS_SPARED);
      }
    }
    return location;
  }

  /** Returns the victim's own space if that fits; else whatever its release makes room for. */
  private long reallocate(long freed, int lengthBytes) {
    if (allocator.fits(freed, lengthBytes)) {
      return freed;
    }
    allocator.release(freed);
    return allocator.allocate(lengthBytes);
  }

  /** No room, though a policy that follows the fill level sees no reason to evict. */
  private boolean isFragmented() {
    return allocator.isBelow(settings.fullTarget());
  }

  private int victim(int hintSlot) {
    int victim = hintSlot == BlockStore.NO_HINT ? eviction.victim() : eviction.victim(hintSlot);
    return victim >= 0 && victim < index.slots() ? victim : EvictionPolicy.NO_VICTIM;
  }
}
