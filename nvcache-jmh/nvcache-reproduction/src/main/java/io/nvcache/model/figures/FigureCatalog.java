// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import java.util.List;

/** All figures, in the order of the papers. */
final class FigureCatalog {
  static final List<Figure> ALL =
      List.of(
          DeviceFigures.WRITES,
          DeviceFigures.INTERFERENCE,
          SmallLoads.DEGRADATION,
          SmallLoads.REMOVALS,
          EagerEviction.FIGURE,
          LargeLoads.SPEEDUP,
          LargeLoads.PROPERTIES,
          OverheadTargets.FIGURE,
          TunedTargets.FIGURE,
          YcsbComparison.FIGURE,
          Prices.COSTS,
          Prices.YCSB,
          Prices.IN_HOUSE,
          LargerPageCache.FIGURE,
          Ablation.FIGURE,
          AllSystems.SPEED,
          AllSystems.UTILISATION);

  private FigureCatalog() {}
}
