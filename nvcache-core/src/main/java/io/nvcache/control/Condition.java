// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

/** A state of a cache that its operator should know of. */
public enum Condition {
  /**
   * For some seconds blocks were offered, and none was taken; where a setting is the reason, the
   * reason has its arithmetic and the remedy.
   */
  BYPASSING,
  /** The medium failed reads or writes, or changed bytes, within the last seconds. */
  MEDIUM_FAILING,
  /**
   * One or more of several drives are lost: they fail, have vanished, or do not answer. Their
   * blocks are gone, and the capacity is what the others have.
   */
  DRIVE_LOST,
  /** The medium is not asked for now: it failed too often, hangs, or an operator said so. */
  OUT_OF_SERVICE,
  /**
   * Pins hold all they may, or all the direct memory where they are copies; lookups that wanted one
   * were refused within the last seconds.
   */
  PINS_EXHAUSTED,
  /**
   * A write limit refused blocks that admission wanted within the last seconds, or the limit of a
   * day lowers the overhead target.
   */
  WRITE_LIMITED,
  /** Hits were measured to be no faster than loads of the store, or the store says so. */
  NO_GAIN,
  /**
   * With heap, direct memory and the cache, this process may take more memory than its container or
   * its machine has.
   */
  MEMORY_OVERCOMMITTED,
  /** A policy threw within the last seconds. */
  POLICY_FAILING,
  /** A thread of the cache has ended, or no round of its background work has for long. */
  BACKGROUND_FAILING,
  /**
   * The medium fails, or hangs, while it is written which blocks were {@linkplain
   * io.nvcache.BlockCache#invalidate invalidated}: a warm start after a kill would bring them back.
   * It is tried again once a second.
   */
  INVALIDATIONS_UNSAVED
}
