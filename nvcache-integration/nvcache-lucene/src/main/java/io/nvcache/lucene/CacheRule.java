// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

/**
 * What the cache does for the reads of a file. Each rule keeps more from the cache than the one
 * before it.
 */
public enum CacheRule {
  /** Looks blocks up, and offers those that missed. */
  CACHE,

  /**
   * Looks blocks up, and keeps nothing: for reads that come once, such as those of a merge or of a
   * checksum.
   */
  ONCE,

  /** Reads the delegate; the cache never sees the file. */
  BYPASS
}
