// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.Systems;

/** Fig. 10: Memory Mode with larger page caches against NVCache with 16 GB. */
final class LargerPageCache {
  static final Figure FIGURE =
      new Figure(
          "fig10",
          "Fig. 10: Memory Mode with larger page caches, against Memory Mode with 16 GB",
          "The large variance of Memory Mode does not reproduce: nothing in the model is random"
              + " but the draws of the clients and where frames lie.",
          LargerPageCache::all);

  private static final double DRAM_GB = 32;
  private static final double[] PAGE_CACHES_GB = {16, 32, 40, 80, 160};

  /** The kernel needs some. */
  private static final double LEAST_LEFT_GB = 16;

  private LargerPageCache() {}

  private static void all(Runs runs, RowList rows) {
    for (double nvram : YcsbComparison.NVRAM_GB) {
      for (Workload load : Workloads.ycsb()) {
        add(runs, rows, load, nvram);
      }
    }
  }

  private static void add(Runs runs, RowList rows, Workload load, double nvram) {
    String size = ", " + Math.round(nvram) + " GB";
    RowList ofMode = rows.of(Systems.MEMORY_MODE, load);
    double base =
        runs.of(load, Systems.MEMORY_MODE, DRAM_GB, nvram, PAGE_CACHES_GB[0]).throughput();
    double best = 0;
    for (double pageCache : PAGE_CACHES_GB) {
      if (pageCache + LEAST_LEFT_GB <= nvram) {
        double mode =
            runs.of(load, Systems.MEMORY_MODE, DRAM_GB, nvram, pageCache).throughput() / base;
        best = Math.max(best, mode);
        ofMode.show("page cache " + Math.round(pageCache) + " GB" + size, "ratio", mode);
      }
    }
    double paper = runs.of(load, Systems.PAPER, DRAM_GB, nvram).throughput() / base;
    boolean gated = nvram == YcsbComparison.NVRAM_GB[0] && !load.equals(Workloads.A);
    Bar bar = gated ? Bar.atLeast(1) : Bar.NONE;
    rows.ofPaper(load)
        .show("page cache 16 GB" + size, "ratio", paper)
        .gate("NVCache against the best Memory Mode" + size, "ratio", bar, paper / best);
  }
}
