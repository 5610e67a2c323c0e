// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import io.nvcache.report.Figures;
import io.nvcache.report.ResultTable;
import java.util.List;

/** Restarts as a table. */
public final class RestartBenchReport {
  private static final List<String> HEADER =
      List.of(
          "engine",
          "stop",
          "blocks",
          "restored",
          "first hit",
          "all after",
          "a block",
          "CPU/block",
          "p99",
          "DRAM");

  /** What the columns mean. */
  public static final String LEGEND =
      "From the call that opens the cache: the first hit of one thread that reads blocks at random,"
          + " and when all is there that was found. CPU is that of the process"
          + " but those reads; p99 of a hit while blocks are restored ÷ after; DRAM: the"
          + " process's peak until then ÷ after.";

  private RestartBenchReport() {}

  /** The table of all runs. */
  public static ResultTable table(List<RestartResult> results) {
    return new ResultTable(
        "Restarts", HEADER, results.stream().map(RestartBenchReport::row).toList());
  }

  private static List<String> row(RestartResult result) {
    return List.of(
        result.labels().getOrDefault("engine", ""),
        result.labels().getOrDefault("stop", ""),
        Figures.count(Long.parseLong(result.labels().getOrDefault("blocks", "0"))),
        Figures.percent(result.value("restored_ratio")),
        Figures.micros(1e3 * result.value("first_hit_ms")),
        Figures.micros(1e6 * result.value("restart_seconds")),
        Figures.decimal(result.value("restart_us_per_block")) + " µs",
        Figures.count(result.value("restore_cpu_ns_per_block")) + " ns",
        Figures.times(result.value("hit_p99_ratio_to_after")),
        Figures.times(result.value("dram_peak_ratio_to_after")));
  }
}
