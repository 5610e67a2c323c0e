// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static io.nvcache.stats.Counter.CALLS_BEGUN;
import static io.nvcache.stats.Counter.LOOKUPS;

import io.nvcache.stats.StripedCounters;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Finds calls that have been inside the cache for too long, from the counters by which {@link
 * CallGate} knows whether it is empty: a stripe that has begun a call, has not ended it, and has
 * begun no other since it was last looked at. So calls need no clock of their own.
 *
 * <p>In a stripe that several threads share, a call that hangs is not noticed as long as others go
 * by. Used by one thread at a time.
 */
final class StuckCalls {
  /** A whole JVM that was halted looks stuck at first; then its calls get time to go on. */
  private static final int LEAST_LOOKS = 3;

  private final StripedCounters counters;
  private final CallGate gate;
  private final LongSupplier nanoTime;
  private final long stuckAfterNanos;
  private final long[] begun;
  private final long[] since;
  private final int[] looks;
  private volatile int found;

  StuckCalls(StripedCounters counters, CallGate gate, LongSupplier nanoTime, long stuckAfterNanos) {
    this.counters = counters;
    this.gate = gate;
    this.nanoTime = nanoTime;
    this.stuckAfterNanos = stuckAfterNanos;
    this.begun = new long[counters.count()];
    this.since = new long[counters.count()];
    this.looks = new int[counters.count()];
    Arrays.fill(begun, -1);
  }

  /** How many there were at the last look. */
  int found() {
    return found;
  }

  /** Looks again. */
  int look() {
    long now = nanoTime.getAsLong();
    int stuck = 0;
    for (int i = 0; i < begun.length; i++) {
      int stripe = counters.stripe(i);
      long begunNow = counters.get(stripe, CALLS_BEGUN) + counters.get(stripe, LOOKUPS);
      if (begunNow != begun[i] || !gate.isBusy(stripe)) {
        begun[i] = begunNow;
        since[i] = now;
        looks[i] = 0;
      } else if (++looks[i] >= LEAST_LOOKS && now - since[i] >= stuckAfterNanos) {
        stuck++;
      }
    }
    found = stuck;
    return stuck;
  }
}
