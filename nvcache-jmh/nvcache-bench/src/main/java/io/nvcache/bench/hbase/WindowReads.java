// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

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

  /** Returns the figures of the window. */
  CompactionWindow figures(CompactionContender contender) {
    return new CompactionWindow(
        contender,
        window,
        count,
        hits,
        percentiles(nanos),
        percentiles(processorNanos),
        writtenBytes,
        wrongValues);
  }

  private Map<String, Double> percentiles(long[] ofAll) {
    long[] sorted = Arrays.copyOf(ofAll, count);
    Arrays.sort(sorted);
    return Map.of(
        "50", micros(sorted, 0.5), "99", micros(sorted, 0.99), "99.9", micros(sorted, 0.999));
  }

  private static double micros(long[] sorted, double part) {
    return sorted[(int) (sorted.length * part)] / 1e3;
  }
}
