// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

/**
 * Chooses the blocks that give way. Knows blocks only as slots of the index: small integers from 0
 * to {@link EvictionContext#slots} − 1; a slot holds at most one block at a time.
 *
 * <p><b>Threads.</b> {@link #onAdmit} and {@link #onRemove} of one slot never overlap (the engine
 * holds the slot's bucket). {@link #onHit} runs on the hit path without any lock: it may be lost,
 * and may come late, when the slot is empty or holds another block; it must not lock, allocate or
 * write a shared counter. {@link #victim} and {@link #sweep} may be called by any thread. Policies
 * that lock do so inside their own methods and never call the engine while holding that lock, but
 * for {@link Sweep}.
 */
public interface EvictionPolicy extends AutoCloseable {
  /** What {@link #victim} returns when the policy has none to give. */
  int NO_VICTIM = -1;

  /** A block was put into the slot. */
  void onAdmit(int slot);

  /** The block in the slot was hit. Lossy. */
  void onHit(int slot);

  /** The slot was emptied, for whatever reason. */
  void onRemove(int slot);

  /**
   * The slot whose block should give way to an insert that found no room. The engine then tries to
   * empty it; when it can't (the slot was emptied or pinned meanwhile) it asks again.
   *
   * @return a slot, or {@link #NO_VICTIM} when this policy evicts by sweeping only or knows no
   *     block
   */
  int victim();

  /**
   * Time-driven work, called about once a second, and never by two threads at once.
   *
   * @param sweep the levels to look at and the way to evict
   */
  void sweep(Sweep sweep);

  /** Bytes of DRAM that the policy holds off the heap. */
  long metadataBytes();

  /** Frees the policy's memory. No other method runs during or after it. */
  @Override
  void close();
}
