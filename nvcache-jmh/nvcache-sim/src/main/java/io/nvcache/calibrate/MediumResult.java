// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What was measured of one medium.
 *
 * @param label its name in records and tables
 * @param description one line: kind, place, size
 * @param points in the order of {@link Point}
 * @param latencies without writers first
 */
public record MediumResult(
    String label, String description, List<PointResult> points, List<Latency> latencies) {
  /** Write bandwidth within this part of the highest is as good. */
  private static final double NEARLY = 0.95;

  /** Whether each read of a block was timed, as on a drive that threads wait for. */
  public boolean hasReadTimes() {
    return points.stream().anyMatch(result -> Double.isFinite(result.readP99Nanos()));
  }

  /** The points with so many readers, by writers. */
  public List<PointResult> withReaders(int readers) {
    return points.stream().filter(result -> result.point().readers() == readers).toList();
  }

  /** The fewest writers that write about as much as can be written. */
  public int bestWriters() {
    double highest =
        withReaders(0).stream().mapToDouble(result -> result.writes().mean()).max().orElse(0);
    return withReaders(0).stream()
        .filter(result -> result.writes().mean() >= NEARLY * highest)
        .map(result -> result.point().writers())
        .min(Comparator.naturalOrder())
        .orElse(1);
  }

  /**
   * How long small reads took next to so many writers.
   *
   * @param writers next to the one reader
   * @param medianNanos half of the reads took no longer
   * @param p99Nanos 99 of 100 reads took no longer
   */
  public record Latency(int writers, double medianNanos, double p99Nanos) {
    private static final double MEDIAN = 50;
    private static final double P99 = 99;

    static Latency of(int writers, Histogram nanos) {
      return new Latency(
          writers, nanos.getValueAtPercentile(MEDIAN), nanos.getValueAtPercentile(P99));
    }
  }
}
