// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.calibrate.MediumResult.Latency;
import io.nvcache.report.Figures;
import io.nvcache.report.ResultTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A calibration in words and tables. */
public final class CalibrationTables {
  private static final double GIGABYTE = 1e9;
  private static final double MEGABYTE = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double POOR_FIT = 0.25;

  private CalibrationTables() {}

  /** Returns the tables of bandwidths, of reads next to writes on a drive, and of latencies. */
  public static List<ResultTable> of(CalibrationResult result) {
    return result.calibrated().hasReadTimes()
        ? List.of(bandwidths(result), readsBesideWrites(result), latencies(result))
        : List.of(bandwidths(result), latencies(result));
  }

  private static ResultTable readsBesideWrites(CalibrationResult result) {
    int blockBytes = result.settings().blockBytes();
    MediumResult medium = result.calibrated();
    PointResult alone = medium.withReaders(result.settings().maxReaders()).get(0);
    List<List<String>> rows = new ArrayList<>();
    for (PointResult point : medium.withReaders(result.settings().maxReaders())) {
      rows.add(
          List.of(
              point.point().readers() + " + " + point.point().writers(),
              Figures.count(point.reads().mean() / blockBytes),
              Figures.decimal(point.reads().mean() / alone.reads().mean()),
              Figures.micros(point.readP99Nanos() / NANOS_PER_MICRO),
              Figures.decimal(point.readP99Nanos() / alone.readP99Nanos()),
              Figures.count(point.writes().mean() / MEGABYTE)));
    }
    return new ResultTable(
        "Reads of " + Figures.bytes(blockBytes) + " next to writes",
        List.of("readers + writers", "reads/s", "ratio", "99 %", "ratio", "written, MB/s"),
        rows);
  }

  private static ResultTable bandwidths(CalibrationResult result) {
    List<String> header = new ArrayList<>(List.of("readers + writers"));
    for (MediumResult medium : result.media()) {
      header.add(medium.label() + " read, GB/s");
      header.add(medium.label() + " write, GB/s");
    }
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < result.calibrated().points().size(); i++) {
      List<String> row = new ArrayList<>();
      for (MediumResult medium : result.media()) {
        PointResult point = medium.points().get(i);
        if (row.isEmpty()) {
          row.add(point.point().readers() + " + " + point.point().writers());
        }
        row.add(gigabytes(point.reads()));
        row.add(gigabytes(point.writes()));
      }
      rows.add(row);
    }
    return new ResultTable("Bandwidth, with its 95 % confidence interval", header, rows);
  }

  private static ResultTable latencies(CalibrationResult result) {
    List<String> header = new ArrayList<>(List.of("1 reader + writers"));
    for (MediumResult medium : result.media()) {
      header.add(medium.label() + " median, ns");
      header.add(medium.label() + " 99 %, ns");
    }
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < result.calibrated().latencies().size(); i++) {
      List<String> row = new ArrayList<>();
      for (MediumResult medium : result.media()) {
        Latency latency = medium.latencies().get(i);
        if (row.isEmpty()) {
          row.add("1 + " + latency.writers());
        }
        row.add(Figures.count(latency.medianNanos()));
        row.add(Figures.count(latency.p99Nanos()));
      }
      rows.add(row);
    }
    return new ResultTable("Latency of 256-byte reads", header, rows);
  }

  private static String gigabytes(Estimate estimate) {
    return estimate.mean() == 0
        ? "–"
        : String.format(
            Locale.ROOT,
            "%.3g ± %.2g",
            estimate.mean() / GIGABYTE,
            estimate.halfWidth() / GIGABYTE);
  }

  /** The result in one sentence. */
  public static String recommendation(CalibrationResult result) {
    Recommendation rule = result.recommendation();
    String target =
        rule.isOff()
            ? "Leave the overhead bypass off"
            : "Overhead target: " + Math.round(100 * rule.overheadTarget()) + " %";
    return (result.doubts().isEmpty() ? "" : "NOT TO BE TRUSTED: ")
        + target
        + " ("
        + rule.reason()
        + ", with "
        + rule.readers()
        + (rule.readers() == 1 ? " reader" : " readers")
        + " and one writer).";
  }

  /** What a reader has to know before believing the figures. */
  public static List<String> notes(CalibrationResult result) {
    List<String> notes = new ArrayList<>();
    if (result.isInterrupted()) {
      notes.add("The calibration was cut short after " + result.rounds() + " rounds.");
    }
    if (!result.doubts().isEmpty()) {
      notes.add(
          "The recommendation can't be trusted: "
              + String.join("; ", result.doubts())
              + ". Something else kept the machine busy: measure again when it is quiet, with more"
              + " --seconds and --rounds.");
    }
    if (result.settings().isCrowded() && !result.calibrated().hasReadTimes()) {
      notes.add(
          "There were more readers and writers than processors, so that writers took processor time"
              + " from readers: compare with the curve of dram, and don't take the target at its"
              + " word.");
    }
    for (MediumResult medium : result.media()) {
      if (medium.fit().error() > POOR_FIT) {
        notes.add(
            "The model does not describe "
                + medium.label()
                + ": it is off by "
                + Figures.percent(medium.fit().error())
                + ". Look at the curves instead of the parameters.");
      }
    }
    if (result.calibrated().label().equals("emulated-nvram")) {
      notes.add(
          "The NVRAM is emulated: memory slowed down to the bandwidths that SoCC '22 (Figs. 1 and"
              + " 2) reports. This shows the tool, not a medium.");
    }
    notes.add(
        "How the target follows from the figures: docs/reference/calibration.md. It is what the"
            + " paper's 10 % cost the readers of the paper's medium; what hits are worth to a"
            + " store, no measurement of a medium can tell.");
    return notes;
  }

  static Map<String, String> parameters(MediumResult medium) {
    DeviceParameters device = medium.fit().parameters();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("All readers", speed(device.readBandwidth()));
    facts.put("One reader, at most", speed(device.readerBandwidth()));
    facts.put("One writer", speed(device.writerBandwidth()));
    facts.put("Writers at full speed", Integer.toString(device.fullSpeedWriters()));
    facts.put("Crowding of writers beyond", Figures.decimal(device.writerCrowding()));
    facts.put("Reads slowed by writes", Figures.decimal(device.readsSlowedByWrites()));
    facts.put("Writes slowed by reads", Figures.decimal(device.writesSlowedByReads()));
    facts.put("Fewest writers near the peak", Integer.toString(medium.bestWriters()));
    facts.put("Error of the fit", Figures.percent(medium.fit().error()));
    facts.put("Medium", medium.description());
    return facts;
  }

  private static String speed(double bytesPerSecond) {
    return String.format(Locale.ROOT, "%.3g GB/s", bytesPerSecond / GIGABYTE);
  }
}
