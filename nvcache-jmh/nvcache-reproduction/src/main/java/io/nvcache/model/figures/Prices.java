// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.Systems;
import java.util.List;
import java.util.Map;

/** Table 4, Figs. 8 and 9: 96 GB of memory, more and more of it NVRAM. */
final class Prices {
  private static final double MEMORY_GB = 96;
  private static final double[] NVRAM_GB = {0, 16, 32, 48, 64};
  private static final double[] PAPER_COST = {1, 0.90, 0.79, 0.69, 0.59};
  private static final double MOST = 64;

  private Prices() {}

  private static double cost(double nvramGb) {
    double dram = MEMORY_GB - nvramGb;
    return (dram + ModelParameters.PAPER.nvramPrice() * nvramGb) / MEMORY_GB;
  }

  private static double throughput(Runs runs, Workload load, double nvramGb) {
    return nvramGb == 0
        ? runs.without(load, MEMORY_GB).throughput()
        : runs.of(load, Systems.PAPER, MEMORY_GB - nvramGb, nvramGb).throughput();
  }

  /** How much more a dollar buys, in percent. */
  private static double gain(Runs runs, Workload load, double nvramGb) {
    double speed = throughput(runs, load, nvramGb) / throughput(runs, load, 0);
    return 100 * (speed / cost(nvramGb) - 1);
  }

  private static String sizes(double nvramGb) {
    return Math.round(nvramGb) + "/" + Math.round(MEMORY_GB - nvramGb) + " GB";
  }

  private static void addGains(Runs runs, Workload load, RowList rows, Bar atMost) {
    for (double nvram : NVRAM_GB) {
      if (nvram > 0) {
        rows.gate(
            "gain per dollar, " + sizes(nvram),
            "paper",
            load.name(),
            "%",
            Double.NaN,
            nvram == MOST ? atMost : Bar.NONE,
            gain(runs, load, nvram));
      }
    }
  }

  /** Table 4. */
  static final class Costs implements Figure {
    @Override
    public String id() {
      return "table4";
    }

    @Override
    public String title() {
      return "Table 4: the cost of 96 GB of memory";
    }

    @Override
    public String note() {
      return "Arithmetic from the ratio of prices: nothing runs, and no row has a bar.";
    }

    @Override
    public List<Row> rows(Runs runs) {
      RowList rows = new RowList(id(), runs.scale());
      for (int i = 0; i < NVRAM_GB.length; i++) {
        rows.show(
            "cost, " + sizes(NVRAM_GB[i]), "any", "any", "ratio", PAPER_COST[i], cost(NVRAM_GB[i]));
      }
      return rows.list();
    }
  }

  /** Fig. 8. */
  static final class Ycsb implements Figure {
    private static final Bar LOSS = Bar.atMost(-0.001);
    private static final Bar GAIN = Bar.atLeast(0.001);

    @Override
    public String id() {
      return "fig8";
    }

    @Override
    public String title() {
      return "Fig. 8: YCSB throughput per dollar against 96 GB of DRAM";
    }

    @Override
    public List<Row> rows(Runs runs) {
      RowList rows = new RowList(id(), runs.scale());
      for (Workload load : Workloads.ycsb()) {
        addGains(runs, load, rows, load.equals(Workloads.A) ? LOSS : GAIN);
      }
      for (Workload load : Workloads.ycsb()) {
        rows.show(
            "hit ratio, 64/32 GB",
            "paper",
            load.name(),
            "ratio",
            Double.NaN,
            runs.of(load, Systems.PAPER, MEMORY_GB - MOST, MOST).hitRatio());
      }
      rows.gate(
          "throughput, 64/32 against 0/96 GB",
          "paper",
          "C",
          "ratio",
          Double.NaN,
          Bar.atLeast(1.1),
          throughput(runs, Workloads.C, MOST) / throughput(runs, Workloads.C, 0));
      return rows.list();
    }
  }

  /** Fig. 9. */
  static final class InHouse implements Figure {
    private static final Map<String, Bar> BARS =
        Map.of(
            Workloads.EVICT_BTREE.name(), Bar.atLeast(0.001),
            Workloads.EVICT_BTREE_SCAN.name(), Bar.atLeast(0.001));

    @Override
    public String id() {
      return "fig9";
    }

    @Override
    public String title() {
      return "Fig. 9: throughput of in-house loads per dollar against 96 GB of DRAM";
    }

    @Override
    public String note() {
      return "*evict-bt-stress-multi* does not reproduce, and is not gated: the paper has it lose."
          + " *medium-btree* is *evict-btree* under another name.";
    }

    @Override
    public List<Row> rows(Runs runs) {
      RowList rows = new RowList(id(), runs.scale());
      for (Workload load :
          List.of(Workloads.EVICT_BTREE, Workloads.EVICT_BTREE_SCAN, Workloads.STRESS_MULTI)) {
        addGains(runs, load, rows, BARS.getOrDefault(load.name(), Bar.NONE));
      }
      return rows.list();
    }
  }
}
