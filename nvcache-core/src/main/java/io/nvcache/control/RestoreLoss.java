// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

/** The reason for which a region or a block of an earlier cache was not restored. */
public enum RestoreLoss {
  /** A region without a valid header of this cache: never written, or not by it. */
  BLANK,
  /** A region that was free, or was being filled, when the earlier cache ended. */
  UNFINISHED,
  /** A region whose footer is of another generation than its header: it was being overwritten. */
  OVERWRITTEN,
  /** A region whose header or footer contradicts itself or the superblock. */
  DAMAGED,
  /** A region that could not be read. */
  UNREADABLE,
  /** A region that was reclaimed for new blocks before its turn came. */
  RECLAIMED,
  /** A block that the cache has already. */
  DUPLICATE,
  /** A block of a file that was invalidated, whole or in part, while the cache restored. */
  INVALIDATED,
  /** A block that found both its buckets in the index full, or no number for its file. */
  NO_SLOT,
  /** A block longer than the cache takes. */
  TOO_LARGE
}
