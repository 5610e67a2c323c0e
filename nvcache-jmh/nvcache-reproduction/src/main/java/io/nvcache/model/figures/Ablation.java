// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.calibrate.DeviceParameters;
import io.nvcache.model.load.Workload;
import io.nvcache.model.load.Workloads;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import java.util.List;

/** What each property of the medium and each part of the policy does. */
final class Ablation implements Figure {
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

  @Override
  public String id() {
    return "ablation";
  }

  @Override
  public String title() {
    return "Ablation: Table 1 on other media, and parts of the policy";
  }

  @Override
  public String note() {
    return "The negative controls run Table 1 on media that lack a property of Optane; where writes"
        + " are fast, eager eviction must not hurt. Switching interference off does not do it: slow"
        + " writes hurt by themselves, since the client that admits a block waits for its write;"
        + " interference adds a third to the loss. The first row is Table 1's again, and gated there.";
  }

  @Override
  public List<Row> rows(Runs runs) {
    RowList rows = new RowList(id(), runs.scale());
    controls(runs, rows);
    for (Workload load :
        List.of(
            Workloads.STRESS_MULTI,
            Workloads.A,
            Workloads.B,
            Workloads.C,
            Workloads.D,
            Workloads.E)) {
      double nvram = load.equals(Workloads.STRESS_MULTI) ? 252 : 64;
      double none = runs.without(load, DRAM_GB).throughput();
      for (ModelSystem part : PARTS) {
        rows.show(
            "against none, " + Math.round(nvram) + " GB",
            part.name(),
            load.name(),
            "ratio",
            Double.NaN,
            runs.of(load, part, DRAM_GB, nvram).throughput() / none);
      }
    }
    return rows.list();
  }

  @Override
  public List<Row> smokeRows(Runs runs) {
    RowList rows = new RowList(id(), runs.scale());
    controls(runs, rows);
    return rows.list();
  }

  private static void controls(Runs runs, RowList rows) {
    String load = EagerEviction.BTREE.name();
    double full = EagerEviction.ratioOn(ModelParameters.PAPER, runs);
    double writeLimit = EagerEviction.ratioOn(medium(1, 0), runs);
    rows.show("eager / none, Optane", "eager", load, "ratio", 0.379, full);
    rows.gate(
        "eager / none, slow writes that disturb nobody",
        "eager",
        load,
        "ratio",
        Double.NaN,
        Bar.between(0.5, 0.9),
        writeLimit);
    rows.gate(
        "eager / none, fast writes that disturb readers",
        "eager",
        load,
        "ratio",
        Double.NaN,
        Bar.atLeast(0.9),
        EagerEviction.ratioOn(medium(FAST, 1), runs));
    rows.gate(
        "eager / none, fast writes that disturb nobody",
        "eager",
        load,
        "ratio",
        Double.NaN,
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
