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
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds calls that have been inside the cache for too long, from the counters by which {@link
 * CallGate} knows whether it is empty: a stripe that has begun a call, has not ended it, and has
 * begun no other since it was last looked at. So calls need their own clock.
 *
 * <p>A process that gets hardly any processor looks the same, and so does a call that has ended
 * while its thread's stack was read. So time counts only while looks are on time, and a call only
 * if the thread that owns the stripe was seen in the engine at two looks in a row.
 *
 * <p>In a stripe that several threads share, a call that hangs is not noticed as long as others go
 * by. Used by one thread at a time.
 */
final class StuckCalls {
  private static final Logger LOG = LoggerFactory.getLogger(StuckCalls.class);

  /** Stacks among which the most telling one is chosen. */
  private static final int MOST_STACKS = 8;

  /** The time of a call that has made no progress at fewer looks may be only a moment. */
  private static final int LEAST_LOOKS = 3;

  /** Looks that have to find the thread inside. */
  private static final int LEAST_SIGHTINGS = 2;

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A look that comes later after the one before says nothing: the watch itself had to wait. */
  private static final long LATE_NANOS = 3 * PERIOD_NANOS;

  private final StripedCounters counters;
  private final CallGate gate;
  private final LongSupplier nanoTime;
  private final long stuckAfterNanos;
  private final long[] begun;
  private final long[] since;
  private final int[] looks;
  private final int[] sightings;
  private long lastLook;
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
    this.sightings = new int[counters.count()];
    this.lastLook = nanoTime.getAsLong();
    Arrays.fill(begun, -1);
  }

  /** Returns how many there were at the last look. */
  int found() {
    return found;
  }

  /** Looks again. */
  int look() {
    long now = nanoTime.getAsLong();
    long gap = now - lastLook;
    boolean isLate = gap > LATE_NANOS;
    lastLook = now;
    int stuck = 0;
    stuckThreads.clear();
    for (int i = 0; i < begun.length; i++) {
      int stripe = counters.stripe(i);
      if (hasProgress(i, stripe)) {
        since[i] = now;
        looks[i] = 0;
        sightings[i] = 0;
      } else if (isLate) {
        since[i] += gap;
      } else {
        looks[i]++;
      }
      if (isDue(i, now) && isStuck(i, stripe, now)) {
        stuck++;
      }
    }
    found = stuck;
    return stuck;
  }

  private boolean hasProgress(int i, int stripe) {
    long begunNow =
        counters.getWithOuter(stripe, CALLS_BEGUN) + counters.getWithOuter(stripe, LOOKUPS);
    boolean has = begunNow != begun[i] || !gate.isBusy(stripe);
    begun[i] = begunNow;
    return has;
  }

  /** From the look before the one that can tell. */
  private boolean isDue(int i, long now) {
    return looks[i] >= LEAST_LOOKS - 1 && now - since[i] >= stuckAfterNanos - PERIOD_NANOS;
  }

  private boolean isStuck(int i, int stripe, long now) {
    Thread owner = counters.owner(stripe);
    if (owner != null) {
      boolean isInside = StuckThread.isInEngine(owner) && !hasProgress(i, stripe);
      sightings[i] = isInside ? sightings[i] + 1 : 0;
      if (sightings[i] < LEAST_SIGHTINGS) {
        return false;
      }
    }
    boolean isStuck = looks[i] >= LEAST_LOOKS && now - since[i] >= stuckAfterNanos;
    if (isStuck && owner != null && stuckThreads.size() < MOST_STACKS) {
      stuckThreads.add(owner);
    }
    return isStuck;
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
