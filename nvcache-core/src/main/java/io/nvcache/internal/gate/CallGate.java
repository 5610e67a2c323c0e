// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

import static io.nvcache.stats.Counter.CALLS_BEGUN;
import static io.nvcache.stats.Counter.CALLS_ENDED;
import static io.nvcache.stats.Counter.HITS;
import static io.nvcache.stats.Counter.LATE_LOOKUPS;
import static io.nvcache.stats.Counter.LOOKUPS;
import static io.nvcache.stats.Counter.MISSES;
import static io.nvcache.stats.Counter.MISSES_CLOSED;
import static io.nvcache.stats.StripedCounters.NOT_AT_HOME;

import io.nvcache.stats.StripedCounters;
import java.lang.ref.Reference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets {@link #close} wait until no call can touch the cache's memory any more, at no cost beyond
 * the counting of lookups, hits and misses that is done anyway.
 *
 * <p><b>Protocol.</b> A call counts its begin, then asks {@link #isClosed}, and only then touches
 * memory; it counts its end on the same stripe. Closing sets the flag, has all threads pass a
 * {@linkplain GlobalFence fence}, then waits for each stripe until its ends, read first, equal its
 * begins, read after. A call whose begin came before the fence is seen and waited for; one that
 * begins after it sees the flag. So a call needs no fence between its counting and its asking,
 * which would cost more than all the rest of its bookkeeping. Where the fence can't reach all
 * threads, each call {@linkplain GlobalFence#meet makes} its own.
 *
 * <p>A thread that may share its stripe asks once more before it counts a begin, so that after the
 * fence it counts at most the one that it was about to. Otherwise such a stripe would never be seen
 * with as many ends as begins while its threads continue calling; a single thread's soon is. Ends
 * can't be compared with the begins of one moment instead: ends of calls turned away later would
 * pass for ends of calls still inside.
 *
 * <p>This is the idea of HdrHistogram's writer-reader phaser with the counters of the statistics in
 * its place, and with the fence moved to the side that is rarely taken.
 */
public final class CallGate {
  /** Instead of a stripe: the gate is shut, nothing was counted as begun. */
  public static final int SHUT = -1;

  private static final long PAUSE_NANOS = 50_000;

  private final StripedCounters counters;
  private final LockHolders holders;
  private volatile boolean closed;

  /** What {@link #keepOpen} was given; never read. */
  @SuppressWarnings("UnusedVariable")
  private @Nullable Object kept;

  public CallGate(StripedCounters counters) {
    this.counters = counters;
    this.holders = new LockHolders(counters);
  }

  /**
   * Keeps something reachable as long as the gate is, and so as long as anyone can call: a walk or
   * a rewrite may be held when the cache itself is not any more. To be called before the first
   * call.
   */
  public void keepOpen(Object kept) {
    this.kept = kept;
  }

  /** Who must not come in again except for a lookup. */
  public LockHolders holders() {
    return holders;
  }

  public boolean isClosed() {
    return closed;
  }

  /**
   * Begins a lookup.
   *
   * @return the stripe to count its hit or miss on, which ends it; {@link #SHUT} if it was turned
   *     away, and counted as that
   */
  public int beginLookup() {
    int stripe = counters.homeStripe();
    return stripe == NOT_AT_HOME ? beginLookupElsewhere() : beginLookup(stripe);
  }

  private int beginLookupElsewhere() {
    return closed ? turnAway() : beginLookup(counters.stripe());
  }

  private int beginLookup(int stripe) {
    counters.add(stripe, LOOKUPS, 1);
    GlobalFence.meet();
    return closed ? turnAway(stripe) : stripe;
  }

  private int turnAway() {
    int stripe = counters.stripe();
    counters.add(stripe, LATE_LOOKUPS, 1);
    counters.add(stripe, MISSES_CLOSED, 1);
    return SHUT;
  }

  /** The same for a lookup that has begun. */
  private int turnAway(int stripe) {
    counters.add(stripe, MISSES_CLOSED, 1);
    counters.addRelease(stripe, MISSES, 1);
    return SHUT;
  }

  /**
   * Begins a call other than a lookup, which must ask {@link #isClosed} next.
   *
   * @return the stripe, for {@link #end}; may be {@link #SHUT} once the gate is
   * @throws IllegalStateException if the calling thread would wait for itself
   */
  public int begin() {
    int stripe = counters.homeStripe();
    if (stripe == NOT_AT_HOME) {
      if (closed) {
        return SHUT;
      }
      stripe = counters.stripe();
    }
    holders.refuseToWaitForItself(stripe);
    counters.add(stripe, CALLS_BEGUN, 1);
    GlobalFence.meet();
    return stripe;
  }

  /**
   * Begins a call that wants no lock, as {@link #begin} does, but from inside one as well.
   *
   * @return the stripe, for {@link #end}; may be {@link #SHUT} once the gate is
   */
  public int beginWithoutLocks() {
    if (closed) {
      return SHUT;
    }
    int stripe = counters.stripe();
    counters.add(stripe, CALLS_BEGUN, 1);
    GlobalFence.meet();
    return stripe;
  }

  public void end(int stripe) {
    try {
      if (stripe != SHUT) {
        counters.addRelease(stripe, CALLS_ENDED, 1);
      }
    } finally {
      Reference.reachabilityFence(this); // Up to here the call needs what is kept open.
    }
  }

  /**
   * Shuts the gate and waits for the calls inside.
   *
   * @return false if it was shut before, and nothing was waited for
   */
  public boolean close() {
    return shut() && awaitEmpty(Long.MAX_VALUE);
  }

  /** Lets no call in any more; false if it was shut before. */
  public boolean shut() {
    boolean first;
    synchronized (this) {
      first = !closed;
      closed = true;
    }
    GlobalFence.pass(); // The second time, too: there may have been no memory for it the first.
    return first;
  }

  /**
   * Waits for the calls that were inside when the gate was shut, on when interrupted; the interrupt
   * is kept.
   *
   * @return whether all ended within the time given
   */
  public boolean awaitEmpty(long nanos) {
    long began = System.nanoTime();
    boolean interrupted = false;
    try {
      for (int i = 0; i < counters.count(); i++) {
        int spins = 0;
        while (isBusy(counters.stripe(i))) {
          if (++spins < 100) {
            Thread.onSpinWait();
          } else if (System.nanoTime() - began >= nanos) {
            return false;
          } else {
            interrupted |= Thread.interrupted(); // Or it would not park.
            LockSupport.parkNanos(PAUSE_NANOS); // Perhaps a medium that hangs.
          }
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns whether the calling thread is inside; also false if it shares its stripe. */
  public boolean isInside() {
    int stripe = counters.stripe();
    return counters.owns(stripe) && isBusy(stripe);
  }

  /** Returns whether a call is inside on this stripe. */
  public boolean isBusy(int stripe) {
    long ended =
        counters.getWithOuter(stripe, CALLS_ENDED)
            + counters.getWithOuter(stripe, HITS)
            + counters.getWithOuter(stripe, MISSES);
    long begun =
        counters.getWithOuter(stripe, CALLS_BEGUN) + counters.getWithOuter(stripe, LOOKUPS);
    return begun != ended;
  }
}
