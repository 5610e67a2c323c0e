// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Measurements;
import java.util.Map;

/**
 * What a compaction cost those who read: as many lookups after it as the cache has blocks twice,
 * against those before it.
 *
 * @param engine the second level
 * @param keys where the hot rows lie
 * @param heat whether the cache carries the heat of the compaction's inputs
 * @param reads after it
 * @param hitsLost how many of them would have been hits besides, at the hit ratio before
 * @param bytesWrittenSince to the medium, from the compaction's begin to the last of these reads
 * @param latencyRatios percentiles of their latency, divided by those before
 */
public record CompactionCost(
    HBaseEngine engine,
    KeyOrder keys,
    boolean heat,
    long reads,
    double hitsLost,
    long bytesWrittenSince,
    Map<String, Double> latencyRatios) {
  public CompactionCost {
    latencyRatios = Map.copyOf(latencyRatios);
  }

  /** Compares the reads after a compaction with those before it. */
  static CompactionCost of(CompactionWindow before, CompactionWindow after) {
    return new CompactionCost(
        after.engine(),
        after.keys(),
        after.heat(),
        after.reads(),
        before.hitRatio() * after.reads() - after.hits(),
        after.mediumBytesWritten() - before.mediumBytesWritten(),
        Map.of("50", ratio(before, after, "50"), "99", ratio(before, after, "99")));
  }

  /** Returns a list for what is measured of one engine with one order of keys. */
  static Measurements labelled(
      Measurements scenario, HBaseEngine engine, KeyOrder keys, boolean heat) {
    return scenario
        .with("engine", engine.label())
        .with("keys", keys.label())
        .with("heat", heat ? "on" : "off");
  }

  /** Adds what was measured. */
  void report(Measurements scenario) {
    Measurements out = labelled(scenario, engine, keys, heat);
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
