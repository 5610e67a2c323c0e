// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.medium.Medium;
import java.lang.ref.Cleaner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the medium's memory allocated for whoever may still read it: the cache, open leases, and
 * views made from leases all reference this handle.
 *
 * <p>The memory goes at once when the cache is closed, nothing is leased and nobody is left who
 * could read it unseen; otherwise when the last lease is closed; and where views were handed out,
 * which nobody can call back, or leases closed by others than those who read them, when the garbage
 * collector finds that nothing references the handle. Reading freed memory would end the JVM.
 */
final class MediumHandle {
  private static final Logger LOG = LoggerFactory.getLogger(MediumHandle.class);
  private static final Cleaner CLEANER = Cleaner.create();

  private final Cleaner.Cleanable memory;
  private volatile boolean readUnseen;

  MediumHandle(Medium medium) {
    // The action must not reference the handle, or it would never become unreachable.
    this.memory = CLEANER.register(this, () -> close(medium));
  }

  private static void close(Medium medium) {
    try {
      medium.close();
    } catch (RuntimeException e) {
      LOG.warn("{} did not close", medium.describe(), e);
    }
  }

  /** Notes that from now on somebody who holds this handle may read the memory unseen. */
  void allowUnseenReads() {
    if (!readUnseen) {
      readUnseen = true;
    }
  }

  /** Frees the memory, now or as soon as it can be known that nobody reads it. Idempotent. */
  void release() {
    if (!readUnseen) {
      memory.clean();
    }
  }
}
