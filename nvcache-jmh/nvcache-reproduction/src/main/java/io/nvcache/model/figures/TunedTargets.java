// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.control.TuningBounds;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Whether a target that moves by itself ends up near the best that an operator could have set. */
final class TunedTargets {
  static final Figure FIGURE =
      new Figure(
          "tuning",
          "A target that moves by itself, against the best of those that do not",
          "YCSB with 32 GB of DRAM and 64 GB of NVRAM, bounds of 0.5 and 100 %. The cache measures"
              + " the medium and asks its shadows, as in production; the time in which it explores"
              + " is counted. The last rows have a medium on which writes disturb nobody, and is"
              + " known not to.",
          TunedTargets::all,
          TunedTargets::smoke);

  private static final double[] TARGETS = {0.005, 0.02, 0.05, 0.10, 0.20, 0.50, 1.00};
  private static final double DRAM_GB = 32;
  private static final double NVRAM_GB = 64;

  /** An estimate, as an operator would give: the disk's time for a block with tens of readers. */
  private static final Duration MISS_COST = Duration.ofNanos(500_000);

  private static final TuningBounds BOUNDS =
      new TuningBounds(TARGETS[0], TARGETS[TARGETS.length - 1], MISS_COST);

  /** From where one load or another is at its worst. */
  private static final List<ModelSystem> TUNED =
      List.of(Systems.tuned(BOUNDS, 0.005), Systems.tuned(BOUNDS, 0.5));

  /** The paper's medium, except that writes slow no reads. */
  private static final ModelParameters HARMLESS =
      ModelParameters.PAPER.withNvram(ModelParameters.PAPER.nvram().undisturbed());

  private TunedTargets() {}

  private static void all(Runs runs, RowList rows) {
    for (Workload load : Workloads.ycsb()) {
      double best = 0;
      for (double target : TARGETS) {
        double speed = speed(runs, load, Systems.standard(target)) / 1000;
        best = Math.max(best, speed);
        String finding = String.format(Locale.ROOT, "target %.1f %%", 100 * target);
        rows.of(Systems.DEFAULT, load).show(finding, "kops/s", speed);
      }
      for (ModelSystem tuned : TUNED) {
        double speed = speed(runs, load, tuned) / 1000;
        gate(rows, "tuned against the best", tuned, load, speed / best);
      }
    }
    double most =
        runs.on(HARMLESS, Workloads.B, Systems.standard(1), DRAM_GB, NVRAM_GB).throughput();
    for (ModelSystem tuned : TUNED) {
      double speed = runs.on(HARMLESS, Workloads.B, tuned, DRAM_GB, NVRAM_GB).throughput();
      String finding = "tuned against the highest target, no interference";
      gate(rows, finding, tuned, Workloads.B, speed / most);
    }
  }

  /** Two loads that want different targets, from where each is at its worst. */
  private static void smoke(Runs runs, RowList rows) {
    smoke(runs, rows, Workloads.A, 0.2, TUNED.get(1));
    smoke(runs, rows, Workloads.B, 0.1, TUNED.get(0));
  }

  private static void smoke(
      Runs runs, RowList rows, Workload load, double best, ModelSystem tuned) {
    double fixed = speed(runs, load, Systems.standard(best));
    String finding = String.format(Locale.ROOT, "tuned against a target of %.0f %%", 100 * best);
    gate(rows, finding, tuned, load, speed(runs, load, tuned) / fixed);
  }

  private static double speed(Runs runs, Workload load, ModelSystem system) {
    return runs.of(load, system, DRAM_GB, NVRAM_GB).throughput();
  }

  private static void gate(
      RowList rows, String finding, ModelSystem tuned, Workload load, double ratio) {
    rows.of(tuned, load).gate(finding, "ratio", Bar.atLeast(0.9), ratio);
  }
}
