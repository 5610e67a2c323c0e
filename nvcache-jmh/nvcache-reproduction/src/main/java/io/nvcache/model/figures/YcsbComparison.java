// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import java.util.List;
import java.util.Map;

/** Fig. 7: YCSB with 32 GB of DRAM and NVCache, Memory Mode or Open CAS. */
final class YcsbComparison {
  static final Figure FIGURE =
      new Figure(
          "fig7",
          "Fig. 7: YCSB throughput against none, 32 GB of DRAM",
          "Fitted: Memory Mode's write-back speed. Does not reproduce, and is not gated: Memory"
              + " Mode hurting A, and Open CAS at a standstill when the data set fits into NVRAM.",
          YcsbComparison::all,
          (runs, rows) -> againstMemoryMode(runs, rows, Workloads.C));

  static final double[] NVRAM_GB = {64, 128, 252};
  private static final double DRAM_GB = 32;
  private static final double SMALL = 64;
  private static final double AMPLE = 252;

  private static final Map<String, Bar> AGAINST_MEMORY_MODE =
      Map.of(
          "B", Bar.between(1.15, 1.5),
          "C", Bar.between(1.7, 3),
          "D", Bar.atLeast(1.1),
          "E", Bar.atLeast(1.7));

  private static final Map<String, Double> PAPER_AGAINST_MEMORY_MODE = Map.of("B", 1.3, "C", 2.69);

  private static final List<ModelSystem> SYSTEMS =
      List.of(Systems.PAPER, Systems.DEFAULT, Systems.MEMORY_MODE, Systems.OPEN_CAS);

  private YcsbComparison() {}

  private static void all(Runs runs, RowList rows) {
    for (double nvram : NVRAM_GB) {
      for (Workload load : Workloads.ycsb()) {
        double none = runs.without(load, DRAM_GB).throughput();
        for (ModelSystem system : SYSTEMS) {
          boolean gated = system.equals(Systems.OPEN_CAS) && nvram == SMALL;
          rows.of(system, load)
              .gate(
                  "against none, " + Math.round(nvram) + " GB",
                  "ratio",
                  gated ? 1 : Double.NaN,
                  gated ? Bar.atMost(1.2) : Bar.NONE,
                  runs.of(load, system, DRAM_GB, nvram).throughput() / none);
        }
      }
    }
    Workloads.ycsb().forEach(load -> againstMemoryMode(runs, rows, load));
    Workloads.ycsb().forEach(load -> writesOfOpenCas(runs, rows, load));
    Workloads.ycsb().forEach(load -> ample(runs, rows, load));
    for (double nvram : new double[] {SMALL, AMPLE}) {
      RunResult mode = runs.of(Workloads.A, Systems.MEMORY_MODE, DRAM_GB, nvram);
      rows.of(Systems.MEMORY_MODE, Workloads.A)
          .show(
              "updates against none, " + Math.round(nvram) + " GB",
              "ratio",
              nvram == SMALL ? 0.82 : 0.7,
              mode.updatesPerSecond() / runs.without(Workloads.A, DRAM_GB).updatesPerSecond());
    }
    hits(runs, rows.ofPaper(Workloads.C));
  }

  private static void againstMemoryMode(Runs runs, RowList rows, Workload load) {
    RunResult paper = runs.of(load, Systems.PAPER, DRAM_GB, SMALL);
    rows.ofPaper(load)
        .gate(
            "against Memory Mode, 64 GB",
            "ratio",
            PAPER_AGAINST_MEMORY_MODE.getOrDefault(load.name(), Double.NaN),
            AGAINST_MEMORY_MODE.getOrDefault(load.name(), Bar.NONE),
            paper.throughput() / runs.of(load, Systems.MEMORY_MODE, DRAM_GB, SMALL).throughput());
  }

  private static void writesOfOpenCas(Runs runs, RowList rows, Workload load) {
    RunResult paper = runs.of(load, Systems.PAPER, DRAM_GB, SMALL);
    boolean few = load.equals(Workloads.A) || load.equals(Workloads.B);
    rows.of(Systems.OPEN_CAS, load)
        .gate(
            "NVRAM writes, Open CAS / NVCache, 64 GB",
            "ratio",
            100,
            few ? Bar.NONE : Bar.atLeast(30),
            runs.of(load, Systems.OPEN_CAS, DRAM_GB, SMALL).nvramWrittenGb()
                / paper.nvramWrittenGb());
  }

  private static void ample(Runs runs, RowList rows, Workload load) {
    RunResult paper = runs.of(load, Systems.PAPER, DRAM_GB, AMPLE);
    rows.of(Systems.MEMORY_MODE, load)
        .gate(
            "Memory Mode against NVCache, 252 GB",
            "ratio",
            load.equals(Workloads.A) ? 0.7 : 1,
            Bar.atLeast(0.65),
            runs.of(load, Systems.MEMORY_MODE, DRAM_GB, AMPLE).throughput() / paper.throughput());
  }

  private static void hits(Runs runs, RowList rows) {
    double[] hit = new double[NVRAM_GB.length];
    for (int i = 0; i < hit.length; i++) {
      hit[i] = 100 * runs.of(Workloads.C, Systems.PAPER, DRAM_GB, NVRAM_GB[i]).hitRatio();
      rows.show("hit ratio, " + Math.round(NVRAM_GB[i]) + " GB", "%", hit[i]);
    }
    rows.gate("hits, 64 to 128 GB", "points", 20, Bar.between(12, 25), hit[1] - hit[0])
        .gate("hits, 128 to 252 GB", "points", 5, Bar.between(4, 12), hit[2] - hit[1]);
  }
}
