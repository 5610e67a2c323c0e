// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.Systems;
import java.util.List;

/** Fig. 10: Memory Mode with larger page caches against NVCache with 16 GB. */
final class LargerPageCache implements Figure {
  private static final double DRAM_GB = 32;
  private static final double[] PAGE_CACHES_GB = {16, 32, 40, 80, 160};

  /** The kernel needs some. */
  private static final double LEAST_LEFT_GB = 16;

  @Override
  public String id() {
    return "fig10";
  }

  @Override
  public String title() {
    return "Fig. 10: Memory Mode with larger page caches, against Memory Mode with 16 GB";
  }

  @Override
  public String note() {
    return "The large variance of Memory Mode does not reproduce: nothing in the model is random"
        + " but the draws of the clients and where frames lie.";
  }

  @Override
  public List<Row> rows(Runs runs) {
    RowList rows = new RowList(id(), runs.scale());
    for (double nvram : YcsbComparison.NVRAM_GB) {
      for (Workload load : Workloads.ycsb()) {
        add(runs, rows, load, nvram);
      }
    }
    return rows.list();
  }

  private static void add(Runs runs, RowList rows, Workload load, double nvram) {
    String size = ", " + Math.round(nvram) + " GB";
    double base =
        runs.of(load, Systems.MEMORY_MODE, DRAM_GB, nvram, PAGE_CACHES_GB[0]).throughput();
    double best = 0;
    for (double pageCache : PAGE_CACHES_GB) {
      if (pageCache + LEAST_LEFT_GB <= nvram) {
        double mode =
            runs.of(load, Systems.MEMORY_MODE, DRAM_GB, nvram, pageCache).throughput() / base;
        best = Math.max(best, mode);
        rows.show(
            "page cache " + Math.round(pageCache) + " GB" + size,
            "memory-mode",
            load.name(),
            "ratio",
            Double.NaN,
            mode);
      }
    }
    double paper = runs.of(load, Systems.PAPER, DRAM_GB, nvram).throughput() / base;
    rows.show("page cache 16 GB" + size, "paper", load.name(), "ratio", Double.NaN, paper);
    boolean gated = nvram == YcsbComparison.NVRAM_GB[0] && !load.equals(Workloads.A);
    rows.gate(
        "NVCache against the best Memory Mode" + size,
        "paper",
        load.name(),
        "ratio",
        Double.NaN,
        gated ? Bar.atLeast(1) : Bar.NONE,
        paper / best);
  }
}
