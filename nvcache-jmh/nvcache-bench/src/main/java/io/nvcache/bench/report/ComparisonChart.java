// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import io.nvcache.report.Figures;
import io.nvcache.report.chart.DotChart;
import io.nvcache.report.chart.DotChart.Fill;
import java.util.List;

/** Draws what a copying hit costs in each cache, as SVG: a row for each, a dot for each length. */
final class ComparisonChart {
  private static final String METRIC = "hit_copy_ratio_to_raw";

  private ComparisonChart() {}

  /**
   * Returns a picture of the hits of one kind.
   *
   * @param hits records of cells that differ in cache and length only
   * @param lengths of blocks, in bytes
   */
  static String of(RecordSet hits, List<String> lengths) {
    DotChart chart =
        new DotChart(
            "Hit, copied to a heap array: processor time ÷ the bare copy's",
            "ratio; less is better",
            "");
    for (String length : lengths) {
      for (String cache : hits.values("impl")) {
        hits.where("impl", cache)
            .where("blockBytes", length)
            .first(METRIC)
            .ifPresent(
                ratio ->
                    chart.add("", cache, Figures.bytes(Long.parseLong(length)), ratio, Fill.SOLID));
      }
    }
    return chart.svg();
  }
}
