// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/** The choice whether a cache restores the blocks that an earlier one left on its medium. */
public enum Restart {
  /** Nothing: the cache begins empty. */
  COLD,

  /**
   * The blocks of files that were {@linkplain BlockCache#identify identified}, after a clean stop,
   * the end of the process and the loss of power alike, as far as the {@linkplain
   * io.nvcache.medium.Durability medium keeps them}. Blocks of the region that was being filled are
   * lost, unless the stop was clean.
   */
  WARM
}
