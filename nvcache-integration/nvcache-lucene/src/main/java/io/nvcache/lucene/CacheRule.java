// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

/**
 * The treatment of the reads of a file. Each rule keeps more from the cache than the previous one.
 */
public enum CacheRule {
  /**
   * Looks blocks up, and offers those that missed as important: they are taken before others, and
   * stay while they are within their share ({@link io.nvcache.BlockRank#IMPORTANT}). For small
   * files that each search goes through, such as the term index or norms.
   */
  IMPORTANT,

  /** Looks blocks up, and offers those that missed. */
  CACHE,

  /**
   * Reads what is cached, keeps nothing, and marks no block as used: for reads that come once, such
   * as in a merge.
   */
  ONCE,

  /** Reads the delegate; the cache never sees the file. */
  BYPASS
}
