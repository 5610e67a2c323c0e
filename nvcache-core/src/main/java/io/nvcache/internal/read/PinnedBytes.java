// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import static io.nvcache.stats.Counter.PINNED_BYTES;
import static io.nvcache.stats.Counter.UNPINNED_ELSEWHERE_BYTES;

import io.nvcache.stats.StripedCounters;
import java.lang.invoke.VarHandle;

/**
 * Bounds the bytes under pin, without a counter that all threads share.
 *
 * <p>A quarter of the bound is dealt out in equal shares to the stripes. A stripe within its share
 * asks no other; beyond it, the excesses of all stripes together must fit in the other three
 * quarters. The bound holds at any moment, and a single thread can use three quarters of it.
 *
 * <p>A pin is given back to the stripe it was reserved on: by the thread that owns the stripe, in
 * the counter that only this thread writes; by any other, in one for all of them.
 */
public final class PinnedBytes {
  private final StripedCounters counters;
  private volatile Bound bound;

  private record Bound(long maxBytes, long shareBytes, int shares) {
    static Bound of(long maxBytes, int shares) {
      return new Bound(maxBytes, maxBytes / 4 / shares, shares);
    }

    long maxExcessBytes() {
      return maxBytes - shareBytes * shares;
    }
  }

  PinnedBytes(StripedCounters counters, long maxPinnedBytes) {
    this.counters = counters;
    this.bound = Bound.of(maxPinnedBytes, counters.count());
  }

  /** Changes the bound. Pins beyond a lower one stay, and no new ones begin until it is met. */
  void maxPinnedBytes(long bytes) {
    bound = Bound.of(bytes, counters.count());
  }

  /** Reserves bytes on the calling thread's stripe; false if they would exceed the bound. */
  boolean reserve(int callersStripe, int bytes) {
    int stripe = counters.common(callersStripe); // Each of these has a share, and no other.
    Bound now = bound;
    counters.add(stripe, PINNED_BYTES, bytes);
    if (pinnedBytes(stripe) <= now.shareBytes) {
      return true;
    }
    VarHandle.fullFence(); // Of two that exceed their shares now, one at least sees the other.
    if (excessBytes(now.shareBytes) <= now.maxExcessBytes()) {
      return true;
    }
    counters.add(stripe, PINNED_BYTES, -bytes);
    return false;
  }

  /** Gives back bytes to the stripe they were reserved on. */
  void release(int callersStripe, int bytes) {
    int stripe = counters.common(callersStripe);
    if (counters.owns(stripe)) {
      counters.addRelease(stripe, PINNED_BYTES, -bytes);
    } else {
      counters.addShared(stripe, UNPINNED_ELSEWHERE_BYTES, bytes);
    }
  }

  /** Returns the bytes under pin. Once no pin can begin any more, 0 means that none is left. */
  long pinnedBytes() {
    return pinnedBytes(counters);
  }

  /** Returns the bytes under pin by these counters. */
  public static long pinnedBytes(StripedCounters counters) {
    // What was given back is read first: a pin can't be seen to end before it began.
    long unpinned = counters.sum(UNPINNED_ELSEWHERE_BYTES);
    return counters.sum(PINNED_BYTES) - unpinned;
  }

  private long pinnedBytes(int stripe) {
    return counters.get(stripe, PINNED_BYTES) - counters.get(stripe, UNPINNED_ELSEWHERE_BYTES);
  }

  private long excessBytes(long shareBytes) {
    long excess = 0;
    for (int i = 0; i < counters.count(); i++) {
      excess += Math.max(0, pinnedBytes(counters.stripe(i)) - shareBytes);
    }
    return excess;
  }
}
