// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.util.Map;

/**
 * What a compaction cost those who read: as many lookups after it as the cache has blocks twice,
 * against those before it.
 *
 * @param keys where the hot rows lie
 * @param heat whether the cache carries the heat of the compaction's inputs
 * @param reads after it
 * @param hitsLost how many of them would have been hits besides, at the hit ratio before
 * @param mediumBytesWritten from the compaction's begin to the last of these reads
 * @param latencyRatios percentiles of their latency, divided by those before
 */
public record CompactionCost(
    HBaseEngine engine,
    KeyOrder keys,
    boolean heat,
    long reads,
    double hitsLost,
    long mediumBytesWritten,
    Map<String, Double> latencyRatios) {
  public CompactionCost {
    latencyRatios = Map.copyOf(latencyRatios);
  }
}
