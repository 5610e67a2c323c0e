// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * When a thread read which rows. From the times of all threads it follows which reads waited for a
 * store file: a read of the file takes at least the delay, and a read of a row in the same block
 * that begins before that one has ended may wait for it, though it reads no file itself.
 *
 * <p>Not thread-safe.
 */
final class ReadTimes {
  /** How many rows of a kilobyte a block of HBase has, by default, and some more. */
  static final int ROWS_OF_BLOCK = 66;

  private static final int DIGITS = 3;
  private static final double LAST_HUNDREDTH = 99;

  private final long[] rows;
  private final long[] begins;
  private final long[] ends;
  private int count;

  ReadTimes(int most) {
    this.rows = new long[most];
    this.begins = new long[most];
    this.ends = new long[most];
  }

  /** Adds a read; its times are of {@link System#nanoTime}. */
  void add(long row, long begin, long end) {
    rows[count] = row;
    begins[count] = begin;
    ends[count] = end;
    count++;
  }

  private boolean took(int read, long nanos) {
    return ends[read] - begins[read] >= nanos;
  }

  private boolean isBeside(int read, ReadTimes other, int otherRead) {
    return Math.abs(rows[read] - other.rows[otherRead]) < ROWS_OF_BLOCK
        && begins[read] - other.ends[otherRead] < 0
        && other.begins[otherRead] - ends[read] < 0;
  }

  /** Returns the times of all reads, in microseconds. */
  static Histogram micros(List<ReadTimes> threads) {
    Histogram micros = new Histogram(DIGITS);
    for (ReadTimes thread : threads) {
      for (int i = 0; i < thread.count; i++) {
        micros.recordValue(TimeUnit.NANOSECONDS.toMicros(thread.ends[i] - thread.begins[i]));
      }
    }
    return micros;
  }

  /**
   * Returns the 99th percentile of the reads that waited for no store file, in microseconds; not a
   * number where a read of a store file takes no time to be told by, or no read was served without.
   */
  static double servedP99(List<ReadTimes> threads, Duration delay) {
    if (delay.isZero()) {
      return Double.NaN;
    }
    long nanos = delay.toNanos();
    Map<Long, List<Fetch>> fetches = fetches(threads, nanos);
    Histogram micros = new Histogram(DIGITS);
    for (ReadTimes thread : threads) {
      for (int i = 0; i < thread.count; i++) {
        if (!thread.took(i, nanos) && !thread.isBesideAFetch(i, fetches)) {
          micros.recordValue(TimeUnit.NANOSECONDS.toMicros(thread.ends[i] - thread.begins[i]));
        }
      }
    }
    return micros.getTotalCount() == 0 ? Double.NaN : micros.getValueAtPercentile(LAST_HUNDREDTH);
  }

  /** A read of a store file. */
  private record Fetch(ReadTimes thread, int read) {}

  /** Returns the reads of store files by the part of the table that they read. */
  private static Map<Long, List<Fetch>> fetches(List<ReadTimes> threads, long nanos) {
    Map<Long, List<Fetch>> fetches = new HashMap<>();
    for (ReadTimes thread : threads) {
      for (int i = 0; i < thread.count; i++) {
        if (thread.took(i, nanos)) {
          fetches
              .computeIfAbsent(thread.rows[i] / ROWS_OF_BLOCK, part -> new ArrayList<>())
              .add(new Fetch(thread, i));
        }
      }
    }
    return fetches;
  }

  private boolean isBesideAFetch(int read, Map<Long, List<Fetch>> fetches) {
    long part = rows[read] / ROWS_OF_BLOCK;
    for (long near = part - 1; near <= part + 1; near++) {
      for (Fetch fetch : fetches.getOrDefault(near, List.of())) {
        if (isBeside(read, fetch.thread(), fetch.read())) {
          return true;
        }
      }
    }
    return false;
  }
}
