// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/** Something whose bandwidth and latency can be measured: a medium, or a model of one. */
interface Bench {
  /** Its name in records and tables. */
  String label();

  /** One line: kind, place, size. */
  String describe();

  /** Touches all of it, so that nothing is slow for being used the first time. */
  void fill() throws IOException;

  /** Keeps the threads of a point busy for so long. */
  Throughput measure(Point point, long nanos) throws IOException, InterruptedException;

  /** Adds the durations, in nanoseconds, of one reader's small reads next to writers. */
  void measureLatency(int writers, long nanos, Histogram durations)
      throws IOException, InterruptedException;

  /**
   * What was moved in one slice of time.
   *
   * @param readBytesPerSecond of all readers together
   * @param writeBytesPerSecond of all writers together
   * @param readP99Nanos 99 of 100 reads of a block took no longer; NaN where that is not measured
   */
  record Throughput(double readBytesPerSecond, double writeBytesPerSecond, double readP99Nanos) {
    /** Creates one whose reads were not timed one by one. */
    Throughput(double readBytesPerSecond, double writeBytesPerSecond) {
      this(readBytesPerSecond, writeBytesPerSecond, Double.NaN);
    }
  }
}
