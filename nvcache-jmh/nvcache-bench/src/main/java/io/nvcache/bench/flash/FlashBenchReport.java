// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import io.nvcache.bench.flash.FlashBench.Settings;
import io.nvcache.report.Figures;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Hits on flash next to bare reads, as a table and notes. */
public final class FlashBenchReport {
  private static final TableView TURNS =
      TableView.by("threads")
          .column("preads/s", "preads_per_s", Figures::count)
          .column("hits/s", "direct_hits_per_s", Figures::count)
          .column("ratio", "direct_hits_ratio_to_pread", Figures::decimal)
          .column("CPU/pread", "pread_cpu_us", Figures::micros)
          .column("CPU/hit", "direct_hit_cpu_us", Figures::micros)
          .column("ratio", "direct_hit_cpu_ratio_to_pread", Figures::decimal)
          .column("2 files/1", "two_files_ratio_to_one", Figures::decimal)
          .column("p99/pread", "pread_p99_us", Figures::micros)
          .column("p99/hit", "direct_hit_p99_us", Figures::micros)
          .column("ratio", "direct_hit_p99_ratio_to_pread", Figures::decimal)
          .column("p99/pread, writes", "pread_p99_us_during_writes", Figures::micros)
          .column("p99/hit, writes", "hit_p99_us_during_writes", Figures::micros)
          .column("ratio", "hit_p99_ratio_during_writes", Figures::decimal)
          .column("garbage/hit", "direct_hit_garbage_bytes", b -> Figures.decimal(b) + " B");

  private static final String LEGEND =
      "Medians over the rounds; ratios are of a bare read and a hit of one round. CPU time"
          + " is the reading threads', garbage what they allocate.";

  private FlashBenchReport() {}

  /** Returns the table of all numbers of threads. */
  public static List<ResultTable> tables(Measurements measured, Settings settings) {
    String title =
        "Blocks of "
            + Figures.bytes(settings.blockBytes())
            + " on "
            + Figures.bytes(settings.capacityBytes())
            + " of flash";
    return TURNS.of(title, measured, Map.of());
  }

  /** Returns what the columns mean, and a line for each figure that is none of a row. */
  public static List<String> notes(Measurements measured) {
    List<String> notes = new ArrayList<>(List.of(LEGEND));
    notes.add(
        "Bytes written to devices for each byte admitted: "
            + Figures.decimal(measured.value("device_bytes_ratio_to_admitted", Map.of())));
    notes.add(
        "A batch of 8 by one thread, against 8 hits one after another: rate "
            + Figures.decimal(measured.value("batch_rate_ratio_to_sequential", Map.of()))
            + ", processor time with helpers "
            + Figures.decimal(measured.value("batch_cpu_ratio_to_sequential", Map.of()))
            + ", garbage of a batch "
            + Figures.decimal(measured.value("batch_garbage_bytes", Map.of()))
            + " B");
    notes.add(
        "One of two files deleted in the middle of "
            + Figures.count(measured.value("volume_pulled_reads", Map.of()))
            + " reads: "
            + Figures.count(measured.value("volume_pulled_failed_reads", Map.of()))
            + " failed, "
            + Figures.decimal(measured.value("volume_pulled_hits_ratio", Map.of()))
            + " of the hits left");
    return notes;
  }
}
