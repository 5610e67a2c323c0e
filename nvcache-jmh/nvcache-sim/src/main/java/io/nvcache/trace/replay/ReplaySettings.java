// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.BlockPlacement;

/**
 * How a trace is replayed.
 *
 * @param capacityBytes size of the cache
 * @param budget the overhead target, in medium writes per lookup
 * @param removalWeight medium writes that a removal counts for: 1 as in the paper, or less
 * @param lookupsPerSecond how many lookups pass in a second of virtual time
 * @param placement how blocks lie on the medium
 * @param seed of the index's hash and of the policies that draw lots
 */
public record ReplaySettings(
    long capacityBytes,
    double budget,
    double removalWeight,
    long lookupsPerSecond,
    BlockPlacement placement,
    long seed) {
  /** In place. */
  ReplaySettings(
      long capacityBytes, double budget, double removalWeight, long lookupsPerSecond, long seed) {
    this(capacityBytes, budget, removalWeight, lookupsPerSecond, BlockPlacement.IN_PLACE, seed);
  }

  /** The same with another budget. */
  ReplaySettings withBudget(double other) {
    return new ReplaySettings(
        capacityBytes, other, removalWeight, lookupsPerSecond, placement, seed);
  }
}
