// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Measurements;
import java.util.Map;

/**
 * What a compaction cost those who read: as many lookups after it as the cache has blocks twice,
 * against those before it.
 *
 * @param contender that was read
 * @param reads after it
 * @param hitsLost how many of them would have been hits besides, at the hit ratio before
 * @param bytesWrittenSince to the medium, from the compaction's begin to the last of these reads
 * @param latencyRatios percentiles of their latency, divided by those before
 */
record CompactionCost(
    CompactionContender contender,
    long reads,
    double hitsLost,
    long bytesWrittenSince,
    Map<String, Double> latencyRatios) {
  CompactionCost {
    latencyRatios = Map.copyOf(latencyRatios);
  }

  /** Compares the reads after a compaction with those before it. */
  static CompactionCost of(CompactionWindow before, CompactionWindow after) {
    return new CompactionCost(
        after.contender(),
        after.reads(),
        before.hitRatio() * after.reads() - after.hits(),
        after.mediumBytesWritten() - before.mediumBytesWritten(),
        Map.of("50", ratio(before, after, "50"), "99", ratio(before, after, "99")));
  }

  /** Adds what was measured. */
  void report(Measurements scenario) {
    Measurements out = contender.labelled(scenario);
    out.add("compaction_hits_lost", hitsLost, "reads")
        .add("compaction_later_reads", reads, "reads")
        .add("compaction_bytes_written", bytesWrittenSince, "bytes");
    latencyRatios.forEach(
        (at, ratio) -> out.with("percentile", at).add("latency_ratio_to_before", ratio, "ratio"));
  }

  private static double ratio(CompactionWindow before, CompactionWindow after, String percentile) {
    return after.micros().getOrDefault(percentile, Double.NaN)
        / before.micros().getOrDefault(percentile, Double.NaN);
  }
}
