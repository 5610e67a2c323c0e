// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import java.util.List;

/** All figures, in the order of the papers. */
final class FigureCatalog {
  static final List<Figure> ALL =
      List.of(
          new DeviceFigures.Writes(),
          new DeviceFigures.Interference(),
          new SmallLoads.Degradation(),
          new SmallLoads.Removals(),
          new EagerEviction(),
          new LargeLoads.Speedup(),
          new LargeLoads.Properties(),
          new OverheadTargets(),
          new TunedTargets(),
          new YcsbComparison(),
          new Prices.Costs(),
          new Prices.Ycsb(),
          new Prices.InHouse(),
          new LargerPageCache(),
          new Ablation(),
          new AllSystems(),
          new Utilisation());

  private FigureCatalog() {}
}
