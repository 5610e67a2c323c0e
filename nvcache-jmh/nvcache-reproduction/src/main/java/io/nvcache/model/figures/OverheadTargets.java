// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.Systems;
import java.util.List;
import java.util.Locale;

/** SoCC '22, §3.2.3: the sensitivity to the overhead target, 1 to 100 %. */
final class OverheadTargets implements Figure {
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

  @Override
  public String id() {
    return "obp";
  }

  @Override
  public String title() {
    return "Overhead targets from 1 to 100 %, against 10 %";
  }

  @Override
  public String note() {
    return "The paper found 5 to 30 % alike for all loads. The model does for those that mostly"
        + " read. With updates a cache hits about target / (2 · rewrites per lookup), so more target"
        + " means more hits until the writes eat them.";
  }

  @Override
  public List<Row> rows(Runs runs) {
    RowList rows = new RowList(id(), runs.scale());
    for (Line line : LINES) {
      double base = run(runs, line, 0.10).throughput();
      double least = Double.POSITIVE_INFINITY;
      double most = 0;
      for (double target : TARGETS) {
        double speed = run(runs, line, target).throughput();
        if (target >= FLAT_FROM && target <= FLAT_TO) {
          least = Math.min(least, speed);
          most = Math.max(most, speed);
        }
        rows.show(
            String.format(Locale.ROOT, "target %.0f %%", 100 * target),
            "paper",
            line.load().name(),
            "ratio",
            target >= FLAT_FROM && target <= FLAT_TO ? 1 : Double.NaN,
            speed / base);
      }
      rows.gate(
          "spread from 5 to 30 %",
          "paper", line.load().name(), "ratio", 0, line.flatness(), (most - least) / most);
    }
    return rows.list();
  }

  private static RunResult run(Runs runs, Line line, double target) {
    return runs.of(line.load(), Systems.paper(target), DRAM_GB, line.nvramGb());
  }
}
