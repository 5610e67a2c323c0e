// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import io.nvcache.report.Figures;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A calibration in words and tables. */
public final class CalibrationTables {
  private static final double GIGABYTE = 1e9;
  private static final double MEGABYTE = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;

  private CalibrationTables() {}

  /** Returns the tables of bandwidths, of reads next to writes on a drive, and of latencies. */
  public static List<ResultTable> of(CalibrationResult result) {
    Measurements measured = CalibrationRecords.of(result);
    TableView bandwidths = TableView.by("readers", "writers");
    TableView latencies = TableView.by("writers");
    for (MediumResult medium : result.media()) {
      String label = medium.label();
      bandwidths =
          bandwidths
              .column(label + " read, GB/s", own -> gigabytes("read_bandwidth", label, own))
              .column(label + " write, GB/s", own -> gigabytes("write_bandwidth", label, own));
      latencies =
          latencies
              .column(label + " median, ns", "read_latency", at("50", label), Figures::count)
              .column(label + " 99 %, ns", "read_latency", at("99", label), Figures::count);
    }
    List<ResultTable> tables = new ArrayList<>();
    tables.addAll(
        bandwidths.of("Bandwidth, with its 95 % confidence interval", measured, Map.of()));
    if (result.calibrated().hasReadTimes()) {
      tables.addAll(readsNextToWrites(result, measured));
    }
    tables.addAll(latencies.of("Latency of 256-byte reads by one reader", measured, Map.of()));
    return tables;
  }

  private static Map<String, String> at(String percentile, String medium) {
    return Map.of("medium", medium, "percentile", percentile);
  }

  private static String gigabytes(String metric, String medium, Measurements point) {
    Measurements own = point.where("medium", medium);
    double mean = own.value(metric);
    return mean > 0
        ? String.format(
            Locale.ROOT,
            "%.3g ± %.2g",
            mean / GIGABYTE,
            own.value(metric + "_confidence") / GIGABYTE)
        : Figures.UNKNOWN;
  }

  private static List<ResultTable> readsNextToWrites(
      CalibrationResult result, Measurements measured) {
    String readers = Integer.toString(result.settings().maxReaders());
    Measurements alone = measured.where(Map.of("readers", readers, "writers", "0"));
    double reads = alone.value("block_reads");
    double p99 = alone.value("block_read_p99");
    return TableView.by("readers", "writers")
        .column("reads/s", "block_reads", Figures::count)
        .column("ratio", "block_reads", here -> Figures.decimal(here / reads))
        .column("99 %", "block_read_p99", here -> Figures.micros(here / NANOS_PER_MICRO))
        .column("ratio", "block_read_p99", here -> Figures.decimal(here / p99))
        .column("written, MB/s", "write_bandwidth", here -> Figures.count(here / MEGABYTE))
        .of(
            "Reads of " + Figures.bytes(result.settings().blockBytes()) + " next to writes",
            measured,
            Map.of("readers", readers));
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
}
