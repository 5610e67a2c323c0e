// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;

/**
 * Compares what loads of the store take with what hits take, once enough of both were timed since
 * the last time. For one thread at a time.
 */
final class GainWatch {
  /** Timed hits, and timed loads, that a comparison needs. */
  static final int SAMPLES = 256;

  private static final long NANOS_PER_MICRO = 1000;

  /** What a comparison says. */
  enum Verdict {
    /** Too few were timed. */
    OPEN,
    /** Loads are as fast as hits. */
    NONE,
    /** Loads are hardly slower than hits: not enough to change what was said before. */
    LITTLE,
    /** A hit saves time. */
    SOME
  }

  private final StripedCounters counters;
  private long hits;
  private long hitNanos;
  private long loads;
  private long loadNanos;
  private long meanHitNanos;
  private long meanLoadNanos;

  GainWatch(StripedCounters counters) {
    this.counters = counters;
  }

  Verdict look() {
    long hitsNow = counters.sum(Counter.TIMED_HITS);
    long loadsNow = counters.sum(Counter.TIMED_LOADS);
    if (hitsNow - hits < SAMPLES || loadsNow - loads < SAMPLES) {
      return Verdict.OPEN;
    }
    long hitNanosNow = counters.sum(Counter.TIMED_HIT_NANOS);
    long loadNanosNow = counters.sum(Counter.TIMED_LOAD_NANOS);
    meanHitNanos = (hitNanosNow - hitNanos) / (hitsNow - hits);
    meanLoadNanos = (loadNanosNow - loadNanos) / (loadsNow - loads);
    hits = hitsNow;
    hitNanos = hitNanosNow;
    loads = loadsNow;
    loadNanos = loadNanosNow;
    if (meanLoadNanos <= meanHitNanos) {
      return Verdict.NONE;
    }
    return meanLoadNanos < meanHitNanos + meanHitNanos / 4 ? Verdict.LITTLE : Verdict.SOME;
  }

  /** Returns the last comparison in words. */
  String words() {
    return "a load of the store takes "
        + meanLoadNanos / NANOS_PER_MICRO
        + " us, and a hit "
        + meanHitNanos / NANOS_PER_MICRO
        + " us";
  }
}
