// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import java.util.ArrayList;
import java.util.List;

/** Turns counters read from time to time into the curves of one run. */
final class Sampler {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Sample> samples = new ArrayList<>();
  private final long startNanos;
  private final Counters start;
  private final long intervalNanos;
  private long lastNanos;
  private Counters last;

  Sampler(long startNanos, Counters start, long intervalNanos) {
    this.startNanos = startNanos;
    this.start = start;
    this.intervalNanos = intervalNanos;
    this.lastNanos = startNanos;
    this.last = start;
  }

  /** Whether the next sample is due. */
  boolean isDue(long nanos) {
    return nanos - lastNanos >= intervalNanos;
  }

  void sample(long nanos, Counters now) {
    Counters interval = now.since(last);
    samples.add(
        new Sample(
            (nanos - startNanos) / NANOS_PER_SECOND,
            interval.operations() / ((nanos - lastNanos) / NANOS_PER_SECOND),
            interval.hitRatio(),
            now.since(start).writesPerLookup()));
    lastNanos = nanos;
    last = now;
  }

  List<Sample> samples() {
    return List.copyOf(samples);
  }
}
