// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What was measured of one engine in a part of a turn.
 *
 * @param turn the number of the turn in the engine's day
 * @param begin when the part began, in seconds of the engine's day: those in which it was read
 * @param seconds how long the part was
 * @param storeRequests to store files that reads waited for
 * @param writtenBytes to the second level since the part before
 * @param micros of all reads
 */
record DaySample(
    DayEngine engine,
    DayPhase phase,
    int turn,
    double begin,
    double seconds,
    long storeRequests,
    long writtenBytes,
    Histogram micros) {
  long reads() {
    return micros.getTotalCount();
  }

  /** Returns the reads that waited for no store file. */
  double hits() {
    return Math.max(0, reads() - storeRequests);
  }

  double hitRatio() {
    return hits() / reads();
  }

  double readsPerSecond() {
    return reads() / seconds;
  }

  double percentile(String percentile) {
    return reads() == 0
        ? Double.NaN
        : (double) micros.getValueAtPercentile(Double.parseDouble(percentile));
  }

  /** Returns samples as one; they are not empty, and of one engine and one phase. */
  static DaySample sum(List<DaySample> samples) {
    DaySample first = samples.get(0);
    Histogram micros = first.micros.copy();
    samples.stream().skip(1).forEach(sample -> micros.add(sample.micros));
    return new DaySample(
        first.engine,
        first.phase,
        first.turn,
        first.begin,
        samples.stream().mapToDouble(DaySample::seconds).sum(),
        samples.stream().mapToLong(DaySample::storeRequests).sum(),
        samples.stream().mapToLong(DaySample::writtenBytes).sum(),
        micros);
  }
}
