// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.device.DeviceParameters;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import java.util.List;

/** What each property of the medium and each part of the policy does. */
final class Ablation {
  static final Figure FIGURE =
      new Figure(
          "ablation",
          "Ablation: Table 1 on other media, and parts of the policy",
          "The negative controls run Table 1 on media that lack a property of Optane; where writes"
              + " are fast, eager eviction must not hurt. Switching interference off does not do"
              + " it: slow writes hurt by themselves, since the client that admits a block waits for"
              + " its write; interference adds a third to the loss. The first row is Table 1's"
              + " again, and gated there.",
          Ablation::all,
          Ablation::controls);

  private static final double DRAM_GB = 32;
  private static final double FAST = 10;
  private static final DeviceParameters OPTANE = ModelParameters.PAPER.nvram();

  private static final List<ModelSystem> PARTS =
      List.of(
          Systems.PAPER,
          Systems.obpOnly(),
          Systems.NO_WRITE_ALLOCATE,
          Systems.NO_WRITE_ALLOCATE_OBP,
          Systems.paperWithEagerEviction(),
          Systems.EAGER,
          Systems.ALLOC_READ_WRITE,
          Systems.DEFAULT);

  private static final List<Workload> LOADS =
      List.of(
          Workloads.STRESS_MULTI, Workloads.A, Workloads.B, Workloads.C, Workloads.D, Workloads.E);

  private Ablation() {}

  private static void all(Runs runs, RowList rows) {
    controls(runs, rows);
    for (Workload load : LOADS) {
      double nvram = load.equals(Workloads.STRESS_MULTI) ? 252 : 64;
      String finding = "against none, " + Math.round(nvram) + " GB";
      double none = runs.without(load, DRAM_GB).throughput();
      for (ModelSystem part : PARTS) {
        double speed = runs.of(load, part, DRAM_GB, nvram).throughput();
        rows.of(part, load).show(finding, "ratio", speed / none);
      }
    }
  }

  private static void controls(Runs runs, RowList rows) {
    double full = EagerEviction.ratioOn(ModelParameters.PAPER, runs);
    RowList eager = rows.of("eager", EagerEviction.BTREE.name());
    eager
        .show("eager / none, Optane", "ratio", 0.379, full)
        .gate(
            "eager / none, slow writes that disturb nobody",
            "ratio",
            Bar.between(0.5, 0.9),
            EagerEviction.ratioOn(medium(1, 0), runs))
        .gate(
            "eager / none, fast writes that disturb readers",
            "ratio",
            Bar.atLeast(0.9),
            EagerEviction.ratioOn(medium(FAST, 1), runs))
        .gate(
            "eager / none, fast writes that disturb nobody",
            "ratio",
            Bar.atLeast(0.9),
            EagerEviction.ratioOn(medium(FAST, 0), runs));
  }

  private static ModelParameters medium(double writeFactor, double interference) {
    return ModelParameters.PAPER.withNvram(
        new DeviceParameters(
            OPTANE.readBandwidth(),
            OPTANE.readerBandwidth(),
            writeFactor * OPTANE.writerBandwidth(),
            OPTANE.fullSpeedWriters(),
            writeFactor > 1 ? 0 : OPTANE.writerCrowding(),
            interference,
            interference));
  }
}
