// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;

/** Every system under every YCSB load, 32 GB of DRAM and 64 GB of NVRAM. */
final class AllSystems {
  static final Figure SPEED =
      new Figure(
          "systems",
          "All systems: YCSB throughput against none, 32 GB of DRAM and 64 GB of NVRAM",
          "Each system gets this machine and this medium; what its authors built it for may differ."
              + " `nvcache reproduce --list` says what each one is.",
          AllSystems::speed);

  static final Figure UTILISATION =
      new Figure(
          "utilisation",
          "Utilisation: the part of the time in which a device had a job, 32 GB of DRAM and 64 GB"
              + " of NVRAM",
          "The records of every other run are in the output of --json. What a finding depends on"
              + " has a bar there: Table 1 asserts that its eager runs wait for NVRAM and the"
              + " others for the disk.",
          AllSystems::utilisation);

  private static final double DRAM_GB = 32;
  private static final double NVRAM_GB = 64;

  private AllSystems() {}

  private static RunResult run(Runs runs, Workload load, ModelSystem system) {
    return system.equals(Systems.NONE)
        ? runs.without(load, DRAM_GB)
        : runs.of(load, system, DRAM_GB, NVRAM_GB);
  }

  private static void speed(Runs runs, RowList rows) {
    for (Workload load : Workloads.ycsb()) {
      double none = runs.without(load, DRAM_GB).throughput();
      for (ModelSystem system : Systems.all()) {
        if (!system.equals(Systems.NONE)) {
          RunResult run = run(runs, load, system);
          rows.of(system, load)
              .show("against none", "ratio", run.throughput() / none)
              .show("NVRAM written", "GB", run.nvramWrittenGb());
        }
      }
    }
  }

  private static void utilisation(Runs runs, RowList rows) {
    for (Workload load : Workloads.ycsb()) {
      for (ModelSystem system : Systems.all()) {
        RunResult run = run(runs, load, system);
        rows.of(system, load)
            .show("NVRAM", "ratio", run.nvram().busy())
            .show("disk", "ratio", run.disk().busy())
            .show("processors", "ratio", run.processors().busy());
      }
    }
  }
}
