// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

/**
 * Chooses the blocks that are evicted. Knows blocks only as slots of the index: small integers from
 * 0 to {@link EvictionContext#slots} − 1; a slot holds at most one block at a time.
 *
 * <p><b>Threads.</b> {@link #onAdmit} and {@link #onRemove} of one slot never overlap (the engine
 * holds the slot's bucket). {@link #onHit} runs on the hit path without any lock: a call may be
 * lost, or come late, when the slot is empty or holds another block; it must not lock, allocate or
 * write a shared counter. {@link #victim} and {@link #sweep} may be called by any thread. Policies
 * that lock do so inside their own methods and never call the engine while holding that lock,
 * {@link Sweep} included: it waits for a lock of the index, inside which another thread may be in
 * {@link #onAdmit} and wait for the policy's.
 *
 * <p><b>What a policy may call.</b> {@link #onAdmit} and {@link #onRemove} run inside a lock of the
 * index. From there the policy's own cache may be asked for blocks, which may miss, for statistics
 * and settings. To offer, to invalidate a block or a file, to identify a file, to walk, maintain or
 * close it from there is refused with {@link IllegalStateException}, since it could wait for that
 * very lock; and so is {@link Sweep#evict}. Everything is allowed from the other methods; a cache
 * that is closed from inside one of them frees its memory after the call has ended. A policy must
 * not wait, in any method, for another thread that calls the cache: that thread may wait for this
 * one, and the cache, which sees that calls do not end, goes out of service.
 *
 * <p><b>What a policy throws</b>, any {@link Error} among it, is logged and counted ({@link
 * io.nvcache.control.Condition#POLICY_FAILING}) and the policy's answer is ignored: the store's
 * lookup, offer or invalidation continues. An {@link OutOfMemoryError}, a {@link
 * StackOverflowError} and the {@code ThreadDeath} of a thread that is stopped are treated alike.
 */
public interface EvictionPolicy extends AutoCloseable {
  /** What {@link #victim} returns when the policy has none to give. */
  int NO_VICTIM = -1;

  /** Notes that a block was put into the slot. */
  void onAdmit(int slot);

  /**
   * Notes that a block which an earlier cache left on the medium was put into the slot.
   *
   * @param mark the block's mark when it was written down, 0 to 255, by whichever policy the
   *     earlier cache had; a policy that takes it over has to make sense of any
   */
  default void onRestore(int slot, int mark) {
    onAdmit(slot);
  }

  /** Notes a hit of the block in the slot. Hits may be lost. */
  void onHit(int slot);

  /** Notes that the slot was emptied, for whatever reason. */
  void onRemove(int slot);

  /**
   * Returns the slot whose block should be evicted for an insert that found no room. The engine
   * then tries to empty it; when it can't (the slot was emptied or pinned in between) it asks
   * again.
   *
   * @return a slot, or {@link #NO_VICTIM} when this policy evicts by sweeping only or knows no
   *     block
   */
  int victim();

  /**
   * Returns a victim like {@link #victim()}. The new block would best be placed in the row of eight
   * slots that {@code near} belongs to. A policy that samples does well to look there first: the
   * row has just been read, and an eviction there makes room where it is wanted.
   *
   * @param near a slot
   * @return a slot, not necessarily near, or {@link #NO_VICTIM} as above
   */
  default int victim(int near) {
    return victim();
  }

  /**
   * Returns how much the block in a slot is preferred to others. Asked when a new block finds no
   * free slot in the few places its key allows: of the blocks there, the one of the least worth is
   * evicted. Asked of all blocks where they are {@linkplain io.nvcache.BlockPlacement#REGIONS
   * placed in regions}: of the regions, the one whose blocks have the least worth together is
   * emptied.
   *
   * @return any number; the higher, the later the block should be evicted. A policy that
   *     {@linkplain io.nvcache.VictimPricing prices} its victims returns the same worth here
   */
  default int worth(int slot) {
    return 0;
  }

  /**
   * Returns about how many lookups found the block in a slot lately, 0 if the policy does not count
   * them. Changes nothing. A {@linkplain io.nvcache.Rewrite rewrite} carries it to the blocks that
   * it makes of this one.
   */
  default double recentHits(int slot) {
    return 0;
  }

  /**
   * Does time-driven work; called about once a second, and never by two threads at once.
   *
   * @param sweep the levels to look at and the way to evict
   */
  void sweep(Sweep sweep);

  /** Returns the bytes of DRAM that the policy holds off the heap. */
  long metadataBytes();

  /**
   * Frees the policy's memory, and ends its threads, if it has any: the {@linkplain SlotMarks
   * marks} are freed next. No other method runs during or after it.
   */
  @Override
  void close();
}
