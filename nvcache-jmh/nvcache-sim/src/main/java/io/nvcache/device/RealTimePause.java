// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

import java.util.concurrent.locks.LockSupport;

/**
 * Real time, exact to about a microsecond. A sleeping thread wakes some 50 µs late, so only waits
 * with room for that are slept, and the rest is spun, as a load from slow memory would stall the
 * core.
 */
final class RealTimePause implements Pause {
  private static final long WAKE_UP_NANOS = 60_000;
  private static final long SLEEP_FROM_NANOS = WAKE_UP_NANOS + 50_000;

  /** Others come and go, and change the speed: look again at least this often. */
  private static final long LONGEST_SLEEP_NANOS = 1_000_000;

  private static final long LONGEST_SPIN_NANOS = 2_000;

  @Override
  public void pause(long nanos) {
    if (nanos >= SLEEP_FROM_NANOS) {
      LockSupport.parkNanos(Math.min(nanos - WAKE_UP_NANOS, LONGEST_SLEEP_NANOS));
      return;
    }
    long start = System.nanoTime();
    long spinNanos = Math.min(nanos, LONGEST_SPIN_NANOS);
    while (System.nanoTime() - start < spinNanos) {
      Thread.onSpinWait();
    }
  }
}
