// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import java.util.List;

/** Every system under every YCSB load, 32 GB of DRAM and 64 GB of NVRAM. */
final class AllSystems implements Figure {
  static final double DRAM_GB = 32;
  static final double NVRAM_GB = 64;

  @Override
  public String id() {
    return "systems";
  }

  @Override
  public String title() {
    return "All systems: YCSB throughput against none, 32 GB of DRAM and 64 GB of NVRAM";
  }

  @Override
  public String note() {
    return "Each system gets this machine and this medium; what its authors built it for may differ."
        + " `nvcache reproduce --list` says what each one is.";
  }

  @Override
  public List<Row> rows(Runs runs) {
    RowList rows = new RowList(id(), runs.scale());
    for (Workload load : Workloads.ycsb()) {
      double none = runs.without(load, DRAM_GB).throughput();
      for (ModelSystem system : Systems.all()) {
        if (!system.equals(Systems.NONE)) {
          RunResult run = runs.of(load, system, DRAM_GB, NVRAM_GB);
          rows.show(
              "against none",
              system.name(),
              load.name(),
              "ratio",
              Double.NaN,
              run.throughput() / none);
          rows.show(
              "NVRAM written", system.name(), load.name(), "GB", Double.NaN, run.nvramWrittenGb());
        }
      }
    }
    return rows.list();
  }
}
