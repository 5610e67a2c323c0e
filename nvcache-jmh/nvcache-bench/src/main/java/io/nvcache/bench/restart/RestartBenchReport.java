// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import io.nvcache.report.Figures;
import io.nvcache.report.Measurements;
import io.nvcache.report.ResultTable;
import io.nvcache.report.TableView;
import java.util.List;
import java.util.Map;

/** Restarts as a table. */
public final class RestartBenchReport {
  private static final TableView RESTARTS =
      TableView.by("engine", "stop", "medium", "blocks")
          .column("restored", "restored_ratio", Figures::percent)
          .column("first hit", "first_hit_ms", ms -> Figures.micros(1e3 * ms))
          .column("all after", "restart_seconds", s -> Figures.micros(1e6 * s))
          .column("a block", "restart_us_per_block", us -> Figures.decimal(us) + " µs")
          .column("CPU/block", "restore_cpu_ns_per_block", ns -> Figures.count(ns) + " ns")
          .column("p99", "hit_p99_ratio_to_after", Figures::times)
          .column("DRAM", "dram_peak_ratio_to_after", Figures::times);

  /** What the columns mean. */
  public static final String LEGEND =
      "From the call that opens the cache: the first hit of one thread that reads blocks at random,"
          + " and when all is there that was found. CPU: the process"
          + " without these reads; p99 of a hit while blocks are restored ÷ after; DRAM: the"
          + " process's peak until then ÷ after.";

  private RestartBenchReport() {}

  /** Returns the table of all runs. */
  public static List<ResultTable> tables(Measurements measured) {
    return RESTARTS.of("Restarts", measured, Map.of());
  }
}
