// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

import static io.nvcache.stats.Counter.SLOT_EVENTS;
import static io.nvcache.stats.StripedCounters.NOT_AT_HOME;

import io.nvcache.stats.StripedCounters;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Knows which threads are inside a policy's {@code onAdmit} or {@code onRemove}, and so hold a
 * bucket's lock: from there a call that wants a lock would wait for itself, or for a thread that
 * waits for this one.
 *
 * <p>A thread that counts in its own stripe counts there, which is two plain additions to a line
 * that it has at hand; the few others are in a set while they are inside. Nothing is kept of
 * threads that have left, virtual ones among them.
 */
public final class LockHolders {
  private static final String REFUSAL =
      "an eviction policy may not change or walk its cache from onAdmit or onRemove, which run"
          + " inside a lock of the index; do it from victim or sweep, or from another thread that"
          + " the policy does not wait for";

  /** Refusals that show where they happened; later ones do not. */
  private static final long TRACED = 16;

  private final StripedCounters counters;
  private final Set<Thread> sharing = ConcurrentHashMap.newKeySet();
  private final AtomicInteger sharers = new AtomicInteger();
  private final AtomicLong refusals = new AtomicLong();

  LockHolders(StripedCounters counters) {
    this.counters = counters;
  }

  /**
   * Takes note that the calling thread goes into the policy.
   *
   * @return what to hand to {@link #leave}: a stripe, or that the thread is in the set
   */
  public int enter() {
    int stripe = counters.homeStripe();
    if (stripe == NOT_AT_HOME) {
      stripe = counters.stripe();
      if (!counters.owns(stripe)) {
        sharing.add(Thread.currentThread());
        sharers.incrementAndGet();
        return NOT_AT_HOME;
      }
    }
    counters.add(stripe, SLOT_EVENTS, 1);
    return stripe;
  }

  /** Takes note that it came out. */
  public void leave(int place) {
    if (place == NOT_AT_HOME) {
      sharers.decrementAndGet();
      sharing.remove(Thread.currentThread());
    } else {
      counters.add(place, SLOT_EVENTS, -1);
    }
  }

  /** Refuses a call that may want a lock, if the calling thread is inside the policy. */
  public void refuseToWaitForItself() {
    refuseToWaitForItself(counters.stripe());
  }

  /**
   * Refuses a call that may want a lock, if the calling thread is inside the policy.
   *
   * @param stripe the calling thread's
   */
  public void refuseToWaitForItself(int stripe) {
    if (counters.get(stripe, SLOT_EVENTS) != 0
        || (sharers.get() != 0 && sharing.contains(Thread.currentThread()))) {
      throw refusals.incrementAndGet() <= TRACED
          ? new IllegalStateException(REFUSAL)
          : new Untraced();
    }
  }

  /** A refusal without a stack, which would cost more than the block that is refused. */
  private static final class Untraced extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Untraced() {
      super(REFUSAL + " (said before, with where)");
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }
}
