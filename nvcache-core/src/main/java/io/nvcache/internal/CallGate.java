// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static io.nvcache.stats.Counter.CALLS_BEGUN;
import static io.nvcache.stats.Counter.CALLS_ENDED;
import static io.nvcache.stats.Counter.HITS;
import static io.nvcache.stats.Counter.LOOKUPS;
import static io.nvcache.stats.Counter.MISSES;

import io.nvcache.stats.StripedCounters;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets {@link #close} wait until no call can touch the cache's memory any more, at no cost beyond
 * the counting of lookups, hits and misses that is done anyway.
 *
 * <p><b>Protocol.</b> A call counts its begin, then asks {@link #isClosed}, and only then touches
 * memory; it counts its end on the same stripe. Closing sets the flag, then waits for each stripe
 * until its ends, read first, equal its begins, read after: at the moment of the first reading
 * nobody was inside, and whoever counts a begin later sees the flag, since counting and the flag
 * are volatile and thus in one order for all threads. This is the idea of HdrHistogram's
 * writer-reader phaser with the counters of the statistics in its place.
 */
final class CallGate {
  private static final long PAUSE_NANOS = 50_000;

  private final StripedCounters counters;
  private volatile boolean closed;

  CallGate(StripedCounters counters) {
    this.counters = counters;
  }

  boolean isClosed() {
    return closed;
  }

  /** Begins a call other than a lookup. Returns the stripe, for {@link #end}. */
  int begin() {
    int stripe = counters.stripe();
    counters.add(stripe, CALLS_BEGUN, 1);
    return stripe;
  }

  void end(int stripe) {
    counters.add(stripe, CALLS_ENDED, 1);
  }

  /**
   * Shuts the gate and waits for the calls inside.
   *
   * @return false if it was shut before, and nothing was waited for
   */
  boolean close() {
    synchronized (this) {
      if (closed) {
        return false;
      }
      closed = true;
    }
    for (int stripe = 0; stripe < counters.stripes(); stripe++) {
      int spins = 0;
      while (isBusy(stripe)) {
        if (++spins < 100) {
          Thread.onSpinWait();
        } else {
          LockSupport.parkNanos(PAUSE_NANOS); // Perhaps a medium that hangs.
        }
      }
    }
    return true;
  }

  private boolean isBusy(int stripe) {
    long ended =
        counters.get(stripe, CALLS_ENDED)
            + counters.get(stripe, HITS)
            + counters.get(stripe, MISSES);
    long begun = counters.get(stripe, CALLS_BEGUN) + counters.get(stripe, LOOKUPS);
    return begun != ended;
  }
}
