// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static io.nvcache.stats.Counter.PINNED_BYTES;

import io.nvcache.stats.StripedCounters;

/**
 * Bounds the bytes under lease, without a counter that all threads share.
 *
 * <p>A quarter of the bound is dealt out in equal shares to the stripes. A stripe within its share
 * asks nobody; beyond it, the excesses of all stripes together must fit in the other three
 * quarters. The bound holds at any moment, and a single thread can use three quarters of it.
 */
final class Leases {
  private final StripedCounters counters;
  private final long maxPinnedBytes;
  private final long shareBytes;

  Leases(StripedCounters counters, long maxPinnedBytes) {
    this.counters = counters;
    this.maxPinnedBytes = maxPinnedBytes;
    this.shareBytes = maxPinnedBytes / 4 / counters.stripes();
  }

  /** Reserves bytes on a stripe; false if they would exceed the bound. */
  boolean reserve(int stripe, int bytes) {
    counters.add(stripe, PINNED_BYTES, bytes);
    if (counters.get(stripe, PINNED_BYTES) <= shareBytes || excessBytes() <= maxExcessBytes()) {
      return true;
    }
    release(stripe, bytes);
    return false;
  }

  /** Gives back bytes to the stripe they were reserved on. */
  void release(int stripe, int bytes) {
    counters.add(stripe, PINNED_BYTES, -bytes);
  }

  private long maxExcessBytes() {
    return maxPinnedBytes - shareBytes * counters.stripes();
  }

  private long excessBytes() {
    long excess = 0;
    for (int stripe = 0; stripe < counters.stripes(); stripe++) {
      excess += Math.max(0, counters.get(stripe, PINNED_BYTES) - shareBytes);
    }
    return excess;
  }
}
