// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.util.concurrent.Semaphore;

/**
 * Bounds the threads that write to the medium at once. Whoever comes too late is sent away and
 * never waits: on media where more writers only slow each other and every reader (SoCC '22, Fig. 1
 * and 2), a block less in the cache costs less than a stalled reader.
 */
final class WriterLimit {
  private final Semaphore writers;

  WriterLimit(int maxConcurrentWriters) {
    this.writers = new Semaphore(maxConcurrentWriters);
  }

  boolean tryBegin() {
    return writers.tryAcquire();
  }

  void end() {
    writers.release();
  }
}
