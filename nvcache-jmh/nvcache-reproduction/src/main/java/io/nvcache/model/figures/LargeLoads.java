// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.Systems;
import java.util.List;

/** Table 2 and Fig. 6: loads larger than DRAM, with 252 GB of NVRAM. */
final class LargeLoads {
  private static final double DRAM_GB = 32;
  private static final double NVRAM_GB = 252;

  private LargeLoads() {}

  private static RunResult paper(Runs runs, Workload workload) {
    return runs.of(workload, Systems.PAPER, DRAM_GB, NVRAM_GB);
  }

  /** Table 2. */
  static final class Properties implements Figure {
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

    private static final double PART = 0.3;

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

    @Override
    public String id() {
      return "table2";
    }

    @Override
    public String title() {
      return "Table 2: hits, removals and writes under large loads";
    }

    @Override
    public List<Row> rows(Runs runs) {
      RowList rows = new RowList(id(), runs.scale());
      for (Line line : LINES) {
        RunResult run = paper(runs, line.workload());
        String load = line.workload().name();
        rows.gate("hit ratio", "paper", load, "ratio", line.hit(), line.hitBar(), run.hitRatio());
        rows.gate(
            "removed / inserted",
            "paper",
            load,
            "ratio",
            line.removed(),
            line.removedBar(),
            Math.rint(1000 * run.removedPerInserted()) / 1000);
        rows.gate(
            "admitted", "paper", load, "GB", line.admitted(), line.admittedBar(), run.admittedGb());
        rows.show(
            "written to disk, loading included",
            "paper",
            load,
            "GB",
            line.written(),
            run.diskWrittenGb() + line.workload().dataGb());
      }
      return rows.list();
    }
  }

  /** Fig. 6. */
  static final class Speedup implements Figure {
    @Override
    public String id() {
      return "fig6";
    }

    @Override
    public String title() {
      return "Fig. 6: throughput with NVCache against without, 32 GB of DRAM";
    }

    @Override
    public List<Row> rows(Runs runs) {
      RowList rows = new RowList(id(), runs.scale());
      for (Workload workload : Workloads.table2()) {
        double paper =
            workload.equals(Workloads.EVICT_BTREE_SCAN)
                ? 3
                : workload.equals(Workloads.STRESS_MULTI) ? 1.12 : Double.NaN;
        rows.gate(
            "speed-up",
            "paper",
            workload.name(),
            "ratio",
            paper,
            bar(workload),
            speedup(runs, workload));
      }
      return rows.list();
    }

    @Override
    public List<Row> smokeRows(Runs runs) {
      Workload load = Workloads.STRESS_MULTI;
      return new RowList(id(), runs.scale())
          .gate("speed-up", "paper", load.name(), "ratio", 1.12, bar(load), speedup(runs, load))
          .list();
    }

    private static Bar bar(Workload workload) {
      if (workload.equals(Workloads.EVICT_BTREE_SCAN)) {
        return Bar.between(3, 4.6);
      }
      return workload.equals(Workloads.STRESS_MULTI) ? Bar.between(1.05, 1.3) : Bar.NONE;
    }

    private static double speedup(Runs runs, Workload workload) {
      return paper(runs, workload).throughput() / runs.without(workload, DRAM_GB).throughput();
    }
  }
}
