// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.Systems;
import java.util.List;
import java.util.Locale;

/** SoCC '22, §3.2.3: the sensitivity to the overhead target, 1 to 100 %. */
final class OverheadTargets {
  static final Figure FIGURE =
      new Figure(
          "obp",
          "Overhead targets from 1 to 100 %, against 10 %",
          "The paper found 5 to 30 % alike for all loads. The model does for those that mostly"
              + " read. With updates a cache hits about target / (2 · rewrites per lookup), so more"
              + " target means more hits until the writes eat them.",
          OverheadTargets::all);

  private static final double[] TARGETS = {0.01, 0.05, 0.10, 0.20, 0.30, 0.50, 1.00};
  private static final double FLAT_FROM = 0.05;
  private static final double FLAT_TO = 0.30;
  private static final double DRAM_GB = 32;

  /** A load, its NVRAM, and how flat it has to be. */
  private record Line(Workload load, double nvramGb, Bar flatness) {}

  private static final List<Line> LINES =
      List.of(
          new Line(Workloads.EVICT_BTREE, 252, Bar.atMost(0.10)),
          new Line(Workloads.EVICT_BTREE_SCAN, 252, Bar.atMost(0.20)),
          new Line(Workloads.STRESS_MULTI, 252, Bar.NONE),
          new Line(Workloads.A, 64, Bar.NONE),
          new Line(Workloads.B, 64, Bar.NONE),
          new Line(Workloads.C, 64, Bar.atMost(0.10)),
          new Line(Workloads.D, 64, Bar.atMost(0.10)),
          new Line(Workloads.E, 64, Bar.atMost(0.10)));

  private OverheadTargets() {}

  private static void all(Runs runs, RowList rows) {
    for (Line line : LINES) {
      RowList ofLoad = rows.ofPaper(line.load());
      double base = speed(runs, line, 0.10);
      double least = Double.POSITIVE_INFINITY;
      double most = 0;
      for (double target : TARGETS) {
        double speed = speed(runs, line, target);
        boolean isFlat = target >= FLAT_FROM && target <= FLAT_TO;
        if (isFlat) {
          least = Math.min(least, speed);
          most = Math.max(most, speed);
        }
        String finding = String.format(Locale.ROOT, "target %.0f %%", 100 * target);
        ofLoad.show(finding, "ratio", isFlat ? 1 : Double.NaN, speed / base);
      }
      double spread = (most - least) / most;
      ofLoad.gate("spread from 5 to 30 %", "ratio", 0, line.flatness(), spread);
    }
  }

  private static double speed(Runs runs, Line line, double target) {
    return runs.of(line.load(), Systems.paper(target), DRAM_GB, line.nvramGb()).throughput();
  }
}
