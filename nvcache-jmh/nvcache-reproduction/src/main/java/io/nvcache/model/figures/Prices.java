// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.Systems;

/** Table 4, Figs. 8 and 9: 96 GB of memory, more and more of it NVRAM. */
final class Prices {
  static final Figure COSTS =
      new Figure(
          "table4",
          "Table 4: the cost of 96 GB of memory",
          "Arithmetic from the ratio of prices: nothing runs, and no row has a bar.",
          Prices::costs);

  static final Figure YCSB =
      new Figure(
          "fig8", "Fig. 8: YCSB throughput per dollar against 96 GB of DRAM", "", Prices::ycsb);

  static final Figure IN_HOUSE =
      new Figure(
          "fig9",
          "Fig. 9: throughput of in-house loads per dollar against 96 GB of DRAM",
          "*evict-bt-stress-multi* does not reproduce, and is not gated: the paper has it lose."
              + " *medium-btree* is *evict-btree* under another name.",
          Prices::inHouse);

  private static final double MEMORY_GB = 96;
  private static final double[] NVRAM_GB = {0, 16, 32, 48, 64};
  private static final double[] PAPER_COST = {1, 0.90, 0.79, 0.69, 0.59};
  private static final double MOST = 64;
  private static final Bar LOSS = Bar.atMost(-0.001);
  private static final Bar GAIN = Bar.atLeast(0.001);

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
        Bar bar = nvram == MOST ? atMost : Bar.NONE;
        rows.ofPaper(load)
            .gate("gain per dollar, " + sizes(nvram), "%", bar, gain(runs, load, nvram));
      }
    }
  }

  private static void costs(Runs runs, RowList rows) {
    for (int i = 0; i < NVRAM_GB.length; i++) {
      String finding = "cost, " + sizes(NVRAM_GB[i]);
      rows.of("any", "any").show(finding, "ratio", PAPER_COST[i], cost(NVRAM_GB[i]));
    }
  }

  private static void ycsb(Runs runs, RowList rows) {
    for (Workload load : Workloads.ycsb()) {
      addGains(runs, load, rows, load.equals(Workloads.A) ? LOSS : GAIN);
    }
    for (Workload load : Workloads.ycsb()) {
      double hits = runs.of(load, Systems.PAPER, MEMORY_GB - MOST, MOST).hitRatio();
      rows.ofPaper(load).show("hit ratio, 64/32 GB", "ratio", hits);
    }
    double speed = throughput(runs, Workloads.C, MOST) / throughput(runs, Workloads.C, 0);
    rows.ofPaper(Workloads.C)
        .gate("throughput, 64/32 against 0/96 GB", "ratio", Bar.atLeast(1.1), speed);
  }

  private static void inHouse(Runs runs, RowList rows) {
    addGains(runs, Workloads.EVICT_BTREE, rows, GAIN);
    addGains(runs, Workloads.EVICT_BTREE_SCAN, rows, GAIN);
    addGains(runs, Workloads.STRESS_MULTI, rows, Bar.NONE);
  }
}
