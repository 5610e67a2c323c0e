// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the threads that write to the medium at once. A thread that finds no place is refused and
 * never waits: on media where more writers only slow each other and every reader (SoCC '22, Fig. 1
 * and 2), a block less in the cache costs less than a stalled reader.
 */
final class WriterLimit {
  /** Null if there is no bound, so that nothing is counted in vain. */
  private final @Nullable Semaphore writers;

  WriterLimit(int maxConcurrentWriters) {
    this.writers =
        maxConcurrentWriters == Integer.MAX_VALUE ? null : new Semaphore(maxConcurrentWriters);
  }

  boolean tryBegin() {
    return writers == null || writers.tryAcquire();
  }

  /** Returns whether one more could begin now. */
  boolean hasRoom() {
    return writers == null || writers.availablePermits() > 0;
  }

  void end() {
    if (writers != null) {
      writers.release();
    }
  }
}
