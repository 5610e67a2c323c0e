// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import java.util.List;

/** Figs. 4 and 5: loads that the kernel's buffer cache can hold, with 16 GB of DRAM. */
final class SmallLoads {
  private static final double DRAM_GB = 16;
  private static final double NVRAM_GB = 252;
  private static final double DATA_GB = 4;
  private static final double PAGE_CACHE_GB = 1;

  private static final Workload READ_ONLY = small(Workloads.EVICT_BTREE);
  private static final Workload STRESS = small(Workloads.STRESS_MULTI);

  private static final List<Workload> LOADS =
      List.of(
          READ_ONLY,
          STRESS,
          small(Workloads.BTREE_50R50U).lasting(60),
          small(Workloads.CHKPT_STRESS),
          small(Workloads.UPDATE_CHKPT));

  static final Figure DEGRADATION =
      new Figure(
          "fig4",
          "Fig. 4: change of throughput under loads that no cache can help, nothing evicted",
          "The paper does not tell the sizes of its small loads; here they are "
              + Math.round(DATA_GB)
              + " GB. Its 91 % does not reproduce (the blog post says \"up to two times slower\").",
          SmallLoads::degradation);

  static final Figure REMOVALS =
      new Figure(
          "fig5",
          "Fig. 5: blocks freed by the store for each block admitted, small bypass only",
          "",
          SmallLoads::removals);

  private SmallLoads() {}

  private static Workload small(Workload large) {
    return large.sized(large.name() + " (small)", DATA_GB, PAGE_CACHE_GB);
  }

  private static void degradation(Runs runs, RowList rows) {
    for (Workload load : LOADS) {
      double none = runs.without(load, DRAM_GB).throughput();
      add(rows, load, Systems.ALLOC_READ_WRITE, none, runs);
      add(rows, load, Systems.SMALL_BYPASS, none, runs);
      add(rows, load, Systems.OBP_WITHOUT_EVICTION, none, runs);
    }
  }

  private static void add(RowList rows, Workload load, ModelSystem system, double none, Runs runs) {
    double change = runs.of(load, system, DRAM_GB, NVRAM_GB).throughput() / none - 1;
    double paper = Double.NaN;
    Bar bar = Bar.NONE;
    if (system.equals(Systems.ALLOC_READ_WRITE) && load.equals(STRESS)) {
      paper = -0.91;
      bar = Bar.atMost(-0.5);
    } else if (system.equals(Systems.ALLOC_READ_WRITE) && load.equals(READ_ONLY)) {
      paper = -0.2;
      bar = Bar.between(-0.3, -0.1);
    } else if (system.equals(Systems.OBP_WITHOUT_EVICTION)) {
      paper = 0;
      bar = Bar.atLeast(-0.03);
    }
    rows.of(system, load).gate("change", "ratio", paper, bar, change);
  }

  private static void removals(Runs runs, RowList rows) {
    for (Workload load : LOADS) {
      RunResult run = runs.of(load, Systems.SMALL_BYPASS, DRAM_GB, NVRAM_GB);
      double freed = run.insertedBlocks() == 0 ? 0 : run.invalidatedBlocks() / run.insertedBlocks();
      rows.of(Systems.SMALL_BYPASS, load).show("freed / admitted", "ratio", freed);
    }
  }
}
