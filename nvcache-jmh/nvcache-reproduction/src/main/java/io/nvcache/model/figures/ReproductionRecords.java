// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.device.DeviceParameters;
import io.nvcache.model.RunResult;
import io.nvcache.model.Scenario;
import io.nvcache.model.figures.FigureResult.Run;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.report.JsonRecords.Entry;
import io.nvcache.report.Measurements;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The records of the command {@code reproduce}; docs/reference/commands.md lists them. */
public final class ReproductionRecords {
  private static final double GIGA = 1e9;

  private ReproductionRecords() {}

  /** All records of the figures. */
  public static List<Entry> of(List<FigureResult> figures) {
    Measurements all = new Measurements();
    for (FigureResult figure : figures) {
      Measurements ofSeed = all.with("seed", figure.seed());
      figure.rows().forEach(row -> add(row, ofSeed));
      figure.runs().forEach(run -> add(run, ofSeed.with("figure", figure.id())));
    }
    // A row whose runs are finer than what was asked for is found at several scales, and written
    // once.
    return all.records().stream().distinct().toList();
  }

  private static void add(Row row, Measurements ofSeed) {
    Measurements to =
        ofSeed
            .with("figure", row.figure())
            .with("row", row.row())
            .with("system", row.system())
            .with("workload", row.workload())
            .with("scale", row.scale())
            .add("paper", row.paper(), row.unit())
            .add("model", row.model(), row.unit());
    if (row.isGated()) {
      to.add("bar_low", row.bar().low(), row.unit())
          .add("bar_high", row.bar().high(), row.unit())
          .flag("inside", row.isInside());
    }
  }

  /** How busy the devices were in one run. */
  private static void add(Run run, Measurements ofFigure) {
    Scenario scenario = run.scenario();
    Measurements to =
        ofFigure
            .with("row", name(scenario))
            .with("system", scenario.system().name())
            .with("workload", scenario.workload().name())
            .with("scale", scenario.scale());
    Map<String, RunResult.Load> loads = new LinkedHashMap<>();
    loads.put("nvram", run.result().nvram());
    loads.put("disk", run.result().disk());
    loads.put("processors", run.result().processors());
    loads.forEach(
        (device, load) ->
            to.add(device + "_busy", load.busy(), "ratio")
                .add(device + "_jobs", load.jobs(), "jobs"));
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
}
