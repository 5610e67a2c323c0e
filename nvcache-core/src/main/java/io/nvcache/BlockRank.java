// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/**
 * The importance of a block beyond how often it is looked up. A host knows what the cache can't
 * see: that a block of an index leads to many others, or that a block belongs to the newest window
 * of time.
 */
public enum BlockRank {
  /** Ranked by its lookups alone. */
  ORDINARY,

  /**
   * More than that. Admission takes it before others, within the write budget, and eviction passes
   * over it while all such blocks fit in their share of the cache ({@link
   * io.nvcache.control.LiveSettings#setImportantShare}). Past the share, those that came first are
   * ordinary from then on. So blocks of the newest window need no more than to be offered so.
   */
  IMPORTANT
}
