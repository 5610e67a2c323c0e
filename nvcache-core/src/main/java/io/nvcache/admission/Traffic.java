// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

/**
 * The counts that admission weighs against each other. They never decrease, unless stated
 * otherwise. Thread-safe.
 */
public interface Traffic {
  /** Lookups so far. */
  long lookups();

  /** Lookups so far that found their block. */
  long hits();

  /** Blocks written to the medium so far. */
  long insertedBlocks();

  /** Blocks taken out so far: evicted, displaced or invalidated. */
  long removedBlocks();

  /**
   * Blocks that an earlier cache left and that take room now, without having been written by this
   * one. While they are counted, as many as there can be. May decrease.
   */
  default long restoredBlocks() {
    return 0;
  }
}
