// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import java.util.concurrent.atomic.LongAdder;

/**
 * Compares what loads take with what hits of the second tier take. Blocks that the loader brings as
 * fast needn't lie in a second tier, which only wears its drive out. Thread-safe.
 */
final class LoadComparison {
  /** So many of either are needed before they are compared. */
  static final int SAMPLES = 1024;

  private final LongAdder hits = new LongAdder();
  private final LongAdder hitNanos = new LongAdder();
  private final LongAdder loads = new LongAdder();
  private final LongAdder loadNanos = new LongAdder();
  private volatile boolean over;

  void hit(long nanos) {
    if (!over) {
      hits.increment();
      hitNanos.add(nanos);
    }
  }

  /** Returns whether this load is the first that shows that loads are as fast as hits. */
  boolean load(long nanos) {
    if (over) {
      return false;
    }
    loads.increment();
    loadNanos.add(nanos);
    if (loads.sum() < SAMPLES || hits.sum() < SAMPLES) {
      return false;
    }
    return end();
  }

  /** Compares once: what a store and a drive are does not change. */
  private synchronized boolean end() {
    if (over) {
      return false;
    }
    over = true;
    return meanLoadNanos() <= meanHitNanos();
  }

  long meanHitNanos() {
    return hitNanos.sum() / hits.sum();
  }

  long meanLoadNanos() {
    return loadNanos.sum() / loads.sum();
  }
}
