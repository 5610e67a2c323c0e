// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.device.DeviceParameters;
import io.nvcache.model.machine.DeviceRun;
import io.nvcache.model.machine.ModelParameters;

/** Figs. 1 and 2: what readers and writers do to each other on the bare medium. */
final class DeviceFigures {
  static final Figure WRITES =
      new Figure(
          "fig1",
          "Fig. 1: sequential writes by number of writers, GB/s",
          "Parameters of the device are fitted to this figure and the next.",
          DeviceFigures::writes,
          DeviceFigures::writes);

  static final Figure INTERFERENCE =
      new Figure(
          "fig2",
          "Fig. 2: reads of eight readers next to writers",
          "The device's parameters are fitted to this figure; DRAM's curve is one formula, which"
              + " no run depends on.",
          DeviceFigures::interference,
          DeviceFigures::interference);

  private static final double GIGA = 1e9;
  private static final int[] WRITERS = {1, 2, 3, 4, 6, 8};
  private static final int READERS = 8;
  private static final ModelParameters PAPER = ModelParameters.PAPER;

  private DeviceFigures() {}

  private static void writes(Runs runs, RowList rows) {
    DeviceParameters two = PAPER.nvram();
    DeviceParameters one =
        new DeviceParameters(
            two.readBandwidth() / 2,
            two.readerBandwidth(),
            two.writerBandwidth(),
            1,
            two.writerCrowding(),
            two.readsSlowedByWrites(),
            two.writesSlowedByReads());
    RowList ofOne = rows.of("1 DIMM", "bare");
    RowList ofTwo = rows.of("2 DIMMs", "bare");
    double peak = 0;
    int peakAt = 0;
    for (int writers : WRITERS) {
      double speed = writes(two, writers);
      if (speed > peak * 1.001) {
        peak = speed;
        peakAt = writers;
      }
      String finding = "writes, " + writers + " writers";
      ofTwo.show(finding, "GB/s", speed);
      ofOne.show(finding, "GB/s", writes(one, writers));
    }
    ofOne.gate("one writer", "GB/s", 0.6, Bar.within(0.1, 0.6), writes(one, 1));
    ofTwo
        .gate("writers at the peak", "writers", 2, Bar.between(1, 2), peakAt)
        .gate("eight writers against the peak", "ratio", Bar.atMost(0.95), writes(two, 8) / peak);
  }

  private static double writes(DeviceParameters medium, int writers) {
    return DeviceRun.measure(medium, 0, writers).writes() / GIGA;
  }

  private static void interference(Runs runs, RowList rows) {
    rows.of("nvram", "bare")
        .gate("no writer", "GB/s", 12, Bar.within(0.1, 12), reads(0))
        .gate("1 writer", "GB/s", 3.4, Bar.within(0.1, 3.4), reads(1))
        .show("2 writers", "GB/s", reads(2))
        .show("4 writers", "GB/s", reads(4))
        .gate("8 writers", "GB/s", 0.8, Bar.within(0.1, 0.8), reads(8));
    rows.of("dram", "bare")
        .show("1 writer, part left", "ratio", 0.82, PAPER.dramReadShare(1))
        .show("8 writers, part left", "ratio", 0.65, PAPER.dramReadShare(8));
  }

  private static double reads(int writers) {
    return DeviceRun.measure(PAPER.nvram(), READERS, writers).reads() / GIGA;
  }
}
