// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.Systems;
import java.util.List;

/** Table 2 and Fig. 6: loads larger than DRAM, with 252 GB of NVRAM. */
final class LargeLoads {
  static final Figure SPEEDUP =
      new Figure(
          "fig6",
          "Fig. 6: throughput with NVCache against without, 32 GB of DRAM",
          "",
          LargeLoads::speedups,
          (runs, rows) -> speedup(runs, rows, Workloads.STRESS_MULTI));

  static final Figure PROPERTIES =
      new Figure(
          "table2",
          "Table 2: hits, removals and writes under large loads",
          "",
          LargeLoads::properties);

  private static final double DRAM_GB = 32;
  private static final double NVRAM_GB = 252;
  private static final double PART = 0.3;

  /** What the paper has and, for three loads, what the model is compared with. */
  private record Line(
      Workload workload,
      double hit,
      Bar hitBar,
      double removed,
      Bar removedBar,
      double written,
      double admitted,
      Bar admittedBar) {
    static Line shown(
        Workload workload, double hit, double removed, double written, double admitted) {
      return new Line(workload, hit, Bar.NONE, removed, Bar.NONE, written, admitted, Bar.NONE);
    }
  }

  private static final List<Line> LINES =
      List.of(
          Line.shown(Workloads.BTREE_50R50U, 0.06, 0.98, 2190, 191),
          Line.shown(Workloads.CHKPT_STRESS, 0.02, 0.94, 780, 36),
          new Line(
              Workloads.STRESS_MULTI,
              0.20,
              Bar.between(0.15, 0.25),
              0.94,
              Bar.between(0.85, 0.98),
              1740,
              424,
              Bar.within(PART, 424)),
          new Line(
              Workloads.EVICT_BTREE,
              0.97,
              Bar.atLeast(0.95),
              0,
              Bar.between(0, 0),
              120,
              115,
              Bar.within(PART, 115)),
          new Line(
              Workloads.EVICT_BTREE_SCAN,
              0.97,
              Bar.atLeast(0.93),
              0.47,
              Bar.between(0.25, 0.55),
              400,
              300,
              Bar.within(PART, 300)),
          Line.shown(Workloads.MEDIUM_BTREE, 0.97, 0, 120, 115),
          Line.shown(Workloads.OVERFLOW, 0.06, 0.95, 2000, 127),
          Line.shown(Workloads.UPDATE_CHKPT, 0.06, 0.95, 1720, 137),
          Line.shown(Workloads.UPDATE_DELTA, 0.02, 0.98, 2000, 93),
          Line.shown(Workloads.UPDATE_GROW, 0.02, 0.97, 2100, 98));

  private LargeLoads() {}

  private static RunResult paper(Runs runs, Workload workload) {
    return runs.of(workload, Systems.PAPER, DRAM_GB, NVRAM_GB);
  }

  private static void properties(Runs runs, RowList rows) {
    for (Line line : LINES) {
      RunResult run = paper(runs, line.workload());
      double removed = Math.rint(1000 * run.removedPerInserted()) / 1000;
      double written = run.diskWrittenGb() + line.workload().dataGb();
      rows.ofPaper(line.workload())
          .gate("hit ratio", "ratio", line.hit(), line.hitBar(), run.hitRatio())
          .gate("removed / inserted", "ratio", line.removed(), line.removedBar(), removed)
          .gate("admitted", "GB", line.admitted(), line.admittedBar(), run.admittedGb())
          .show("written to disk, loading included", "GB", line.written(), written);
    }
  }

  private static void speedups(Runs runs, RowList rows) {
    Workloads.table2().forEach(workload -> speedup(runs, rows, workload));
  }

  private static void speedup(Runs runs, RowList rows, Workload workload) {
    double paper = Double.NaN;
    Bar bar = Bar.NONE;
    if (workload.equals(Workloads.EVICT_BTREE_SCAN)) {
      paper = 3;
      bar = Bar.between(3, 4.6);
    } else if (workload.equals(Workloads.STRESS_MULTI)) {
      paper = 1.12;
      bar = Bar.between(1.05, 1.3);
    }
    double speedup =
        paper(runs, workload).throughput() / runs.without(workload, DRAM_GB).throughput();
    rows.ofPaper(workload).gate("speed-up", "ratio", paper, bar, speedup);
  }
}
