// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import io.nvcache.trace.Trace;

/**
 * What could be reached on a trace by knowing the future.
 *
 * @param belady hit ratio of Belady's MIN, which may write as it likes
 * @param writeBound hit ratio that no policy can exceed within the budget
 */
public record Bounds(double belady, double writeBound) {
  static Bounds of(Trace trace, FutureUse future, ReplaySettings settings) {
    return new Bounds(
        Belady.hitRatio(trace, future, settings.capacityBytes()),
        WriteBound.hitRatio(trace, future, settings.capacityBytes(), mostInserts(trace, settings)));
  }

  /** Of each insert the removal is paid for, too, but for the blocks that are still there. */
  private static double mostInserts(Trace trace, ReplaySettings settings) {
    long resident = settings.capacityBytes() / trace.smallestSizeBytes();
    double weight = settings.removalWeight();
    return (settings.budget() * trace.lookups() + weight * resident) / (1 + weight);
  }
}
