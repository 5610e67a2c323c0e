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
final class YcsbComparison implements Figure {
  static final double DRAM_GB = 32;
  static final double[] NVRAM_GB = {64, 128, 252};
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

  @Override
  public String id() {
    return "fig7";
  }

  @Override
  public String title() {
    return "Fig. 7: YCSB throughput against none, 32 GB of DRAM";
  }

  @Override
  public String note() {
    return "Fitted: Memory Mode's write-back speed. Does not reproduce, and is not gated: Memory"
        + " Mode hurting A, and Open CAS at a standstill when the data set fits into NVRAM.";
  }

  @Override
  public List<Row> rows(Runs runs) {
    RowList rows = new RowList(id(), runs.scale());
    for (double nvram : NVRAM_GB) {
      for (Workload load : Workloads.ycsb()) {
        double none = runs.without(load, DRAM_GB).throughput();
        for (ModelSystem system : SYSTEMS) {
          boolean gated = system.equals(Systems.OPEN_CAS) && nvram == SMALL;
          rows.gate(
              "against none, " + Math.round(nvram) + " GB",
              system.name(),
              load.name(),
              "ratio",
              gated ? 1 : Double.NaN,
              gated ? Bar.atMost(1.2) : Bar.NONE,
              runs.of(load, system, DRAM_GB, nvram).throughput() / none);
        }
      }
    }
    small(runs, rows);
    ample(runs, rows);
    hits(runs, rows);
    return rows.list();
  }

  private static void small(Runs runs, RowList rows) {
    for (Workload load : Workloads.ycsb()) {
      RunResult paper = runs.of(load, Systems.PAPER, DRAM_GB, SMALL);
      rows.gate(
          "against Memory Mode, 64 GB",
          "paper",
          load.name(),
          "ratio",
          PAPER_AGAINST_MEMORY_MODE.getOrDefault(load.name(), Double.NaN),
          AGAINST_MEMORY_MODE.getOrDefault(load.name(), Bar.NONE),
          paper.throughput() / runs.of(load, Systems.MEMORY_MODE, DRAM_GB, SMALL).throughput());
    }
    for (Workload load : Workloads.ycsb()) {
      RunResult paper = runs.of(load, Systems.PAPER, DRAM_GB, SMALL);
      boolean few = load.equals(Workloads.A) || load.equals(Workloads.B);
      rows.gate(
          "NVRAM writes, Open CAS / NVCache, 64 GB",
          "opencas",
          load.name(),
          "ratio",
          100,
          few ? Bar.NONE : Bar.atLeast(30),
          runs.of(load, Systems.OPEN_CAS, DRAM_GB, SMALL).nvramWrittenGb()
              / paper.nvramWrittenGb());
    }
  }

  private static void ample(Runs runs, RowList rows) {
    for (Workload load : Workloads.ycsb()) {
      RunResult paper = runs.of(load, Systems.PAPER, DRAM_GB, AMPLE);
      rows.gate(
          "Memory Mode against NVCache, 252 GB",
          "memory-mode",
          load.name(),
          "ratio",
          load.equals(Workloads.A) ? 0.7 : 1,
          Bar.atLeast(0.65),
          runs.of(load, Systems.MEMORY_MODE, DRAM_GB, AMPLE).throughput() / paper.throughput());
    }
    for (double nvram : new double[] {SMALL, AMPLE}) {
      RunResult mode = runs.of(Workloads.A, Systems.MEMORY_MODE, DRAM_GB, nvram);
      rows.show(
          "updates against none, " + Math.round(nvram) + " GB",
          "memory-mode",
          "A",
          "ratio",
          nvram == SMALL ? 0.82 : 0.7,
          mode.updatesPerSecond() / runs.without(Workloads.A, DRAM_GB).updatesPerSecond());
    }
  }

  private static void hits(Runs runs, RowList rows) {
    double[] hit = new double[NVRAM_GB.length];
    for (int i = 0; i < hit.length; i++) {
      hit[i] = 100 * runs.of(Workloads.C, Systems.PAPER, DRAM_GB, NVRAM_GB[i]).hitRatio();
      rows.show(
          "hit ratio, " + Math.round(NVRAM_GB[i]) + " GB", "paper", "C", "%", Double.NaN, hit[i]);
    }
    rows.gate(
        "hits, 64 to 128 GB", "paper", "C", "points", 20, Bar.between(12, 25), hit[1] - hit[0]);
    rows.gate(
        "hits, 128 to 252 GB", "paper", "C", "points", 5, Bar.between(4, 12), hit[2] - hit[1]);
  }

  @Override
  public List<Row> smokeRows(Runs runs) {
    Workload load = Workloads.C;
    double paper = runs.of(load, Systems.PAPER, DRAM_GB, SMALL).throughput();
    double mode = runs.of(load, Systems.MEMORY_MODE, DRAM_GB, SMALL).throughput();
    return new RowList(id(), runs.scale())
        .gate(
            "against Memory Mode, 64 GB",
            "paper",
            "C",
            "ratio",
            2.69,
            AGAINST_MEMORY_MODE.getOrDefault("C", Bar.NONE),
            paper / mode)
        .list();
  }
}
