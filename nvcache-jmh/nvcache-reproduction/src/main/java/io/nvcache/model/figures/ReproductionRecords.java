// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.calibrate.DeviceParameters;
import io.nvcache.model.RunResult;
import io.nvcache.model.Scenario;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.JsonRecords.Entry;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The records of the command {@code reproduce}; docs/reference/commands.md lists them. */
public final class ReproductionRecords {
  private static final double GIGA = 1e9;

  private ReproductionRecords() {}

  /** All records of the figures. */
  public static List<Entry> of(List<FigureResult> figures) {
    // A row whose runs are finer than what was asked for is found at several scales, and written
    // once.
    Set<Entry> records = new LinkedHashSet<>();
    for (FigureResult figure : figures) {
      for (Row row : figure.rows()) {
        add(figure, row, records);
      }
      for (FigureRun run : figure.runs()) {
        add(figure, run, records);
      }
    }
    return List.copyOf(records);
  }

  private static void add(FigureResult figure, Row row, Set<Entry> records) {
    Map<String, String> labels =
        Map.of(
            "figure", row.figure(),
            "row", row.row(),
            "system", row.system(),
            "workload", row.workload(),
            "scale", Integer.toString(row.scale()),
            "seed", Long.toString(figure.seed()));
    add("paper", labels, row.paper(), row.unit(), records);
    add("model", labels, row.model(), row.unit(), records);
    if (row.isGated()) {
      add("bar_low", labels, row.bar().low(), row.unit(), records);
      add("bar_high", labels, row.bar().high(), row.unit(), records);
      add("inside", labels, row.isInside() ? 1 : 0, "boolean", records);
    }
  }

  /** How busy the devices were in one run. */
  private static void add(FigureResult figure, FigureRun run, Set<Entry> records) {
    Scenario scenario = run.scenario();
    Map<String, String> labels =
        Map.of(
            "figure", figure.id(),
            "row", name(scenario),
            "system", scenario.system().name(),
            "workload", scenario.workload().name(),
            "scale", Integer.toString(scenario.scale()),
            "seed", Long.toString(figure.seed()));
    add("nvram", labels, run.result().nvram(), records);
    add("disk", labels, run.result().disk(), records);
    add("processors", labels, run.result().processors(), records);
  }

  private static void add(
      String device, Map<String, String> labels, RunResult.Load load, Set<Entry> records) {
    records.add(new Entry(device + "_busy", labels, load.busy(), "ratio"));
    records.add(new Entry(device + "_jobs", labels, load.jobs(), "jobs"));
  }

  /** The machine of a run, by what distinguishes the runs of a figure. */
  static String name(Scenario scenario) {
    String name =
        String.format(
            Locale.ROOT,
            "run with %.0f GB of DRAM, %.0f GB of NVRAM",
            scenario.dramGb(),
            scenario.nvramGb());
    if (scenario.pageCacheGb() > 0) {
      name += String.format(Locale.ROOT, ", page cache of %.0f GB", scenario.pageCacheGb());
    }
    if (scenario.parameters().equals(ModelParameters.PAPER)) {
      return name;
    }
    DeviceParameters medium = scenario.parameters().nvram();
    return name
        + String.format(
            Locale.ROOT,
            ", writers of %.1f GB/s, interference %.1f",
            medium.writerBandwidth() / GIGA,
            medium.readsSlowedByWrites());
  }

  private static void add(
      String metric, Map<String, String> labels, double value, String unit, Set<Entry> records) {
    JsonRecords.add(records, metric, labels, value, unit);
  }
}
