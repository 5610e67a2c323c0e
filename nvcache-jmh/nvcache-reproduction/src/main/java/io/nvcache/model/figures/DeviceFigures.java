// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.calibrate.DeviceParameters;
import io.nvcache.model.machine.DeviceRun;
import io.nvcache.model.machine.ModelParameters;
import java.util.List;

/** Figs. 1 and 2: what readers and writers do to each other on the bare medium. */
final class DeviceFigures {
  private static final double GIGA = 1e9;
  private static final int[] WRITERS = {1, 2, 3, 4, 6, 8};
  private static final int READERS = 8;
  private static final ModelParameters PAPER = ModelParameters.PAPER;

  private DeviceFigures() {}

  /** Fig. 1. */
  static final class Writes implements Figure {
    @Override
    public String id() {
      return "fig1";
    }

    @Override
    public String title() {
      return "Fig. 1: sequential writes by number of writers, GB/s";
    }

    @Override
    public String note() {
      return "Parameters of the device are fitted to this figure and the next.";
    }

    @Override
    public List<Row> rows(Runs runs) {
      RowList rows = new RowList(id(), runs.scale());
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
      double peak = 0;
      int peakAt = 0;
      for (int writers : WRITERS) {
        double speed = writes(two, writers);
        if (speed > peak * 1.001) {
          peak = speed;
          peakAt = writers;
        }
        String label = writers + " writers";
        rows.show("writes, " + label, "2 DIMMs", "bare", "GB/s", Double.NaN, speed);
        rows.show("writes, " + label, "1 DIMM", "bare", "GB/s", Double.NaN, writes(one, writers));
      }
      rows.gate("one writer", "1 DIMM", "bare", "GB/s", 0.6, Bar.within(0.1, 0.6), writes(one, 1));
      rows.gate("writers at the peak", "2 DIMMs", "bare", "writers", 2, Bar.between(1, 2), peakAt);
      rows.gate(
          "eight writers against the peak",
          "2 DIMMs",
          "bare",
          "ratio",
          Double.NaN,
          Bar.atMost(0.95),
          writes(two, 8) / peak);
      return rows.list();
    }

    @Override
    public List<Row> smokeRows(Runs runs) {
      return rows(runs);
    }

    private static double writes(DeviceParameters medium, int writers) {
      return DeviceRun.measure(medium, 0, writers).writes() / GIGA;
    }
  }

  /** Fig. 2. */
  static final class Interference implements Figure {
    @Override
    public String id() {
      return "fig2";
    }

    @Override
    public String title() {
      return "Fig. 2: reads of eight readers next to writers";
    }

    @Override
    public String note() {
      return "The device's parameters are fitted to this figure; DRAM's curve is one formula, which"
          + " no run depends on.";
    }

    @Override
    public List<Row> rows(Runs runs) {
      return new RowList(id(), runs.scale())
          .gate("no writer", "nvram", "bare", "GB/s", 12, Bar.within(0.1, 12), reads(0))
          .gate("1 writer", "nvram", "bare", "GB/s", 3.4, Bar.within(0.1, 3.4), reads(1))
          .show("2 writers", "nvram", "bare", "GB/s", Double.NaN, reads(2))
          .show("4 writers", "nvram", "bare", "GB/s", Double.NaN, reads(4))
          .gate("8 writers", "nvram", "bare", "GB/s", 0.8, Bar.within(0.1, 0.8), reads(8))
          .show("1 writer, part left", "dram", "bare", "ratio", 0.82, PAPER.dramReadShare(1))
          .show("8 writers, part left", "dram", "bare", "ratio", 0.65, PAPER.dramReadShare(8))
          .list();
    }

    @Override
    public List<Row> smokeRows(Runs runs) {
      return rows(runs);
    }

    private static double reads(int writers) {
      return DeviceRun.measure(PAPER.nvram(), READERS, writers).reads() / GIGA;
    }
  }
}
