// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Measurements;
import java.util.Arrays;
import java.util.List;

/** The reads of one window: how long each took, and what they found. For one thread. */
final class WindowReads {
  private final int window;
  private long[] nanos = new long[1024];
  private long[] processorNanos = new long[1024];
  private int count;
  private long hits;
  private long wrongValues;
  private long writtenBytes;

  /** Begins a window by its number: 0 during the compaction, negative before it. */
  WindowReads(int window) {
    this.window = window;
  }

  int window() {
    return window;
  }

  /** Adds a read that found what was written. */
  void add(long itsNanos, long itsProcessorNanos) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
      processorNanos = Arrays.copyOf(processorNanos, 2 * count);
    }
    nanos[count] = itsNanos;
    processorNanos[count] = itsProcessorNanos;
    count++;
  }

  /** Notes that the last read read no file. */
  void addHit() {
    hits++;
  }

  /** Notes that the last read gave something else than was written. */
  void addWrongValue() {
    wrongValues++;
  }

  /**
   * Ends the window. Takes no time: what runs next to the reads must not get ahead.
   *
   * @param bytes written to the medium up to now
   */
  void end(long bytes) {
    writtenBytes = bytes;
  }

  /** Returns several windows as one, with the number of the last one. */
  static WindowReads together(List<WindowReads> parts) {
    WindowReads whole = new WindowReads(parts.get(parts.size() - 1).window);
    for (WindowReads part : parts) {
      for (int i = 0; i < part.count; i++) {
        whole.add(part.nanos[i], part.processorNanos[i]);
      }
      whole.hits += part.hits;
      whole.wrongValues += part.wrongValues;
      whole.writtenBytes = part.writtenBytes;
    }
    return whole;
  }

  /** Returns the part of the reads that read no file. */
  private double hitRatio() {
    return (double) hits / count;
  }

  /** Adds what was measured of a contender, with the window as label. */
  void report(Measurements contender) {
    Measurements out = contender.with("window", window);
    out.add("hit_ratio", hitRatio(), "ratio")
        .add("file_reads", count - hits, "reads")
        .add("medium_bytes_written", writtenBytes, "bytes")
        .add("wrong_values", wrongValues, "reads");
    for (String percentile : List.of("50", "99", "99.9")) {
      out.with("operation", "read")
          .with("percentile", percentile)
          .add("latency", micros(nanos, percentile), "us")
          .add("processor_time", micros(processorNanos, percentile), "us");
    }
  }

  /**
   * Adds what a compaction cost those who read: the reads after it against those before it.
   *
   * @param before windows as one, that ended when the compaction began
   */
  static void reportCost(WindowReads before, WindowReads after, Measurements contender) {
    contender
        .add("compaction_hits_lost", before.hitRatio() * after.count - after.hits, "reads")
        .add("compaction_later_reads", after.count, "reads")
        .add("compaction_bytes_written", after.writtenBytes - before.writtenBytes, "bytes");
    for (String percentile : List.of("50", "99")) {
      double ratio =
          after.micros(after.nanos, percentile) / before.micros(before.nanos, percentile);
      contender.with("percentile", percentile).add("latency_ratio_to_before", ratio, "ratio");
    }
  }

  private double micros(long[] ofAll, String percentile) {
    long[] sorted = Arrays.copyOf(ofAll, count);
    Arrays.sort(sorted);
    return sorted[(int) (count * Double.parseDouble(percentile) / 100)] / 1e3;
  }
}
