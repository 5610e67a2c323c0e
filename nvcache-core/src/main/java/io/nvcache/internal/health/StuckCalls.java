// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import static io.nvcache.stats.Counter.CALLS_BEGUN;
import static io.nvcache.stats.Counter.LOOKUPS;

import io.nvcache.background.SafeLog;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.stats.StripedCounters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds calls that have been inside the cache for too long, from the counters by which {@link
 * CallGate} knows whether it is empty: a stripe that has begun a call, has not ended it, and has
 * begun no other since it was last looked at. So calls need no clock of their own.
 *
 * <p>In a stripe that several threads share, a call that hangs is not noticed as long as others go
 * by. Used by one thread at a time.
 */
final class StuckCalls {
  private static final Logger LOG = LoggerFactory.getLogger(StuckCalls.class);

  /** So many stacks are looked at for the most telling one. */
  private static final int MOST_STACKS = 8;

  /** A whole JVM that was halted looks stuck at first; then its calls get time to go on. */
  private static final int LEAST_LOOKS = 3;

  private final StripedCounters counters;
  private final CallGate gate;
  private final LongSupplier nanoTime;
  private final long stuckAfterNanos;
  private final long[] begun;
  private final long[] since;
  private final int[] looks;
  private final List<Thread> stuckThreads = new ArrayList<>();
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

  /** Returns how many there were at the last look. */
  int found() {
    return found;
  }

  /** Looks again. */
  int look() {
    long now = nanoTime.getAsLong();
    int stuck = 0;
    stuckThreads.clear();
    for (int i = 0; i < begun.length; i++) {
      int stripe = counters.stripe(i);
      long begunNow = counters.get(stripe, CALLS_BEGUN) + counters.get(stripe, LOOKUPS);
      if (begunNow != begun[i] || !gate.isBusy(stripe)) {
        begun[i] = begunNow;
        since[i] = now;
        looks[i] = 0;
      } else if (++looks[i] >= LEAST_LOOKS && now - since[i] >= stuckAfterNanos) {
        stuck++;
        Thread owner = counters.owner(stripe);
        if (owner != null && stuckThreads.size() < MOST_STACKS) {
          stuckThreads.add(owner);
        }
      }
    }
    found = stuck;
    return stuck;
  }

  /** Returns what keeps the calls that were stuck at the last look, in words; logs a stack. */
  String cause() {
    return stuckThreads.stream()
        .map(StuckThread::of)
        .min(Comparator.comparing(StuckThread::cause))
        .map(StuckCalls::describe)
        .orElse("calls do not end");
  }

  private static String describe(StuckThread thread) {
    SafeLog.warn(LOG, "a call does not end in the thread {}{}", thread.name(), thread.trace());
    return thread.describe();
  }
}
