// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.trace.Trace;

/**
 * What could be reached on a trace by knowing the future.
 *
 * @param belady hit ratio of Belady's MIN, which may write as it likes
 * @param writeBound hit ratio that no policy can exceed within the budget: the bound of {@link
 *     WriteBound}, or Belady's where all blocks are of one size and it is lower
 * @param atBound what a policy would do that came close to it
 */
public record Bounds(double belady, double writeBound, AtBound atBound) {
  /**
   * What the best choice at the bound's prices does.
   *
   * @param hitsPerWrite lookups that hit for each block written
   * @param writtenAtFirstRatio the part of those written that are written at their first lookup
   */
  public record AtBound(double hitsPerWrite, double writtenAtFirstRatio) {}

  static Bounds of(Trace trace, FutureUse future, ReplaySettings settings) {
    WriteBound bound =
        WriteBound.of(trace, future, settings.capacityBytes(), mostInserts(trace, settings));
    double belady = Belady.hitRatio(trace, future, settings.capacityBytes());
    boolean isExact = trace.smallestSizeBytes() == trace.largestSizeBytes();
    return new Bounds(
        belady, isExact ? Math.min(belady, bound.hitRatio()) : bound.hitRatio(), bound.choices());
  }

  /** Of each insert the removal is paid for as well, except for the blocks that are still there. */
  private static double mostInserts(Trace trace, ReplaySettings settings) {
    long resident = settings.capacityBytes() / trace.smallestSizeBytes();
    double weight = settings.removalWeight();
    return (settings.budget() * trace.lookups() + weight * resident) / (1 + weight);
  }
}
