// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The policies on one trace, with one size and one budget.
 *
 * @param trace name of the trace
 * @param capacity as it was asked for
 * @param budget as it was asked for
 * @param capacityBytes what the size is
 * @param lookupsPerCapacity lookups for each block that the size holds
 * @param bounds what could be reached, if it was asked for
 * @param cells what each policy reached, in order
 */
public record TraceGroup(
    String trace,
    Amount capacity,
    Amount budget,
    long capacityBytes,
    double lookupsPerCapacity,
    @Nullable Bounds bounds,
    List<Cell> cells) {
  /** By so much the writes of a rival may exceed the budget. */
  private static final double TOLERATED = 1.05;

  /** The best of the other policies that kept the budget; null if none did. */
  @Nullable Cell bestRival() {
    return cells.stream()
        .filter(cell -> !isDefault(cell))
        .filter(cell -> cell.result().writesPerLookup() <= TOLERATED * budget.value())
        .max(Comparator.comparingDouble(cell -> cell.result().end().hitRatio()))
        .orElse(null);
  }

  /**
   * The part of the way from the best rival to the bound that the default goes; negative where the
   * rival hits more. Empty where the bound, the default or a rival is missing.
   */
  OptionalDouble gapClosed() {
    Bounds known = bounds;
    Cell rival = bestRival();
    Cell ours = cells.stream().filter(TraceGroup::isDefault).findFirst().orElse(null);
    if (known == null || rival == null || ours == null) {
      return OptionalDouble.empty();
    }
    double from = rival.result().end().hitRatio();
    double gap = known.writeBound() - from;
    return gap > 0
        ? OptionalDouble.of((ours.result().end().hitRatio() - from) / gap)
        : OptionalDouble.empty();
  }

  private static boolean isDefault(Cell cell) {
    return cell.policy().name().equals(TracePolicies.DEFAULT);
  }

  /**
   * What one policy reached.
   *
   * @param policy the policy
   * @param result what came of its replay
   * @param atEqualWrites what comes of it with the budget that the default policy spent; null if
   *     the policy keeps no budget, or the default is not compared
   */
  public record Cell(
      TracePolicy policy, ReplayResult result, @Nullable ReplayResult atEqualWrites) {}
}
