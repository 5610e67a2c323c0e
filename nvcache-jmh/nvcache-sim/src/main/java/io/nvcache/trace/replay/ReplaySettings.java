// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

/**
 * How a trace is replayed.
 *
 * @param capacityBytes size of the cache
 * @param budget the overhead target, in medium writes per lookup
 * @param removalWeight medium writes that a removal counts for: 1 as in the paper, or less
 * @param lookupsPerSecond how many lookups pass in a second of virtual time
 * @param seed of the index's hash and of the policies that draw lots
 */
public record ReplaySettings(
    long capacityBytes, double budget, double removalWeight, long lookupsPerSecond, long seed) {
  /** The same with another budget. */
  ReplaySettings withBudget(double other) {
    return new ReplaySettings(capacityBytes, other, removalWeight, lookupsPerSecond, seed);
  }
}
