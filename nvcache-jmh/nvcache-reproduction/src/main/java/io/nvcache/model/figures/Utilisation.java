// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import java.util.List;

/** How busy the devices were in the runs of {@link AllSystems}. */
final class Utilisation implements Figure {
  @Override
  public String id() {
    return "utilisation";
  }

  @Override
  public String title() {
    return "Utilisation: the part of the time in which a device had a job, 32 GB of DRAM and 64 GB"
        + " of NVRAM";
  }

  @Override
  public String note() {
    return "The records of every other run are in the output of --json. What a finding depends on"
        + " has a bar there: Table 1 asserts that its eager runs wait for NVRAM and the"
        + " others for the disk.";
  }

  @Override
  public List<Row> rows(Runs runs) {
    RowList rows = new RowList(id(), runs.scale());
    for (Workload load : Workloads.ycsb()) {
      for (ModelSystem system : Systems.all()) {
        RunResult run =
            system.equals(Systems.NONE)
                ? runs.without(load, AllSystems.DRAM_GB)
                : runs.of(load, system, AllSystems.DRAM_GB, AllSystems.NVRAM_GB);
        show(rows, "NVRAM", system, load, run.nvram());
        show(rows, "disk", system, load, run.disk());
        show(rows, "processors", system, load, run.processors());
      }
    }
    return rows.list();
  }

  private static void show(
      RowList rows, String device, ModelSystem system, Workload load, RunResult.Load busy) {
    rows.show(device, system.name(), load.name(), "ratio", Double.NaN, busy.busy());
  }
}
