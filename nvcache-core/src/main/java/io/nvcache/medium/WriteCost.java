// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

/**
 * What writing costs on a medium.
 *
 * @param removalWeight medium writes that freeing one block costs, relative to inserting one: 0
 *     where space is accounted for in DRAM, 1 where an allocator on the medium writes on each free
 *     (SoCC '22, §3.2.3)
 * @param maxConcurrentWriters threads that may write at once before offers answer {@code
 *     MEDIUM_BUSY}; on Optane more than two only slow each other and all readers (SoCC '22, Fig. 1)
 */
public record WriteCost(double removalWeight, int maxConcurrentWriters) {
  /** Memory that freeing does not write to and that bears any number of writers. */
  public static final WriteCost FREE_REMOVALS = new WriteCost(0, Integer.MAX_VALUE);

  /** Checks the ranges. */
  public WriteCost {
    if (!(removalWeight >= 0 && removalWeight <= 100)) {
      throw new IllegalArgumentException(
          "removalWeight is " + removalWeight + "; it must be between 0 and 100");
    }
    if (maxConcurrentWriters < 1) {
      throw new IllegalArgumentException(
          "maxConcurrentWriters is " + maxConcurrentWriters + "; it must be at least 1");
    }
  }
}
