// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

/**
 * The access of one sweep to the cache. For the time of one call of {@link EvictionPolicy#sweep}
 * and its thread: after it, or on another thread, each method throws {@link IllegalStateException}.
 */
public interface Sweep {
  /** Returns the bytes of the medium in use. */
  long usedBytes();

  /** Returns the bytes of the medium. */
  long capacityBytes();

  /**
   * Asks whether overhead allows an eviction; an eviction put off for overhead is counted by
   * asking.
   */
  boolean mayEvict();

  /**
   * Returns whether a pin holds the block in the slot. A hint: the answer may be out of date when
   * it arrives, and where that is expensive to know it may always be false; {@link #evict} refuses
   * anyway.
   */
  default boolean pinned(int slot) {
    return false;
  }

  /**
   * Evicts the block in the slot; false if the slot is empty or its block is pinned.
   *
   * @throws IllegalStateException from {@link EvictionPolicy#onRemove}, which this calls
   */
  boolean evict(int slot);
}
