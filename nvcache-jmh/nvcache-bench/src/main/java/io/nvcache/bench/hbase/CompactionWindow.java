// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Measurements;
import java.util.Map;

/**
 * Some reads before, during or after a compaction.
 *
 * @param contender that was read
 * @param window 0 for the reads during the compaction, negative before it, positive after it
 * @param reads in this window
 * @param hits reads that read no file
 * @param micros latency of all reads by percentile, in microseconds
 * @param processorMicros processor time of all reads by percentile, in microseconds: without what
 *     the reading thread waits for, a processor above all
 * @param mediumBytesWritten from the first warming read to the end of this window
 * @param wrongValues reads that gave something else than was written
 */
record CompactionWindow(
    CompactionContender contender,
    int window,
    long reads,
    long hits,
    Map<String, Double> micros,
    Map<String, Double> processorMicros,
    long mediumBytesWritten,
    long wrongValues) {
  CompactionWindow {
    micros = Map.copyOf(micros);
    processorMicros = Map.copyOf(processorMicros);
  }

  /** Reads that read no file, of all. */
  double hitRatio() {
    return reads == 0 ? Double.NaN : (double) hits / reads;
  }

  /** Adds what was measured, with the window as label. */
  void report(Measurements scenario) {
    Measurements out = contender.labelled(scenario).with("window", window);
    out.add("hit_ratio", hitRatio(), "ratio")
        .add("file_reads", reads - hits, "reads")
        .add("medium_bytes_written", mediumBytesWritten, "bytes")
        .add("wrong_values", wrongValues, "reads");
    Measurements read = out.with("operation", "read");
    micros.forEach((at, time) -> read.with("percentile", at).add("latency", time, "us"));
    processorMicros.forEach(
        (at, time) -> read.with("percentile", at).add("processor_time", time, "us"));
  }
}
