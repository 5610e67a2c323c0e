// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what policies throw. A policy that throws loses its say on one block, not the store its
 * read: every failure is counted, and the first, second, fourth, eighth … is logged.
 *
 * <p>Errors are taken as exceptions are. An {@link OutOfMemoryError} or {@link StackOverflowError}
 * in a policy says that the policy went too far, or met the store's own want of memory, which the
 * store finds out by itself; either way the block at hand can be served without it. So it is with a
 * thread that is stopped ({@code ThreadDeath}, up to JDK 19) while it is in a policy: the stop is
 * counted and lost, because the call may be in the middle of a change of the index.
 */
public final class PolicyFailures {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyFailures.class);

  private final AtomicLong failures = new AtomicLong();

  /** Returns how many there were. */
  public long count() {
    return failures.get();
  }

  /** Takes a failure. Throws nothing itself: it may be called in a lock, and without memory. */
  void report(Object policy, Throwable failure) {
    try {
      long count = failures.incrementAndGet();
      if (Long.bitCount(count) == 1) {
        LOG.error("{} failed, {} times by now; the cache continues", policy, count, failure);
      }
    } catch (RuntimeException | Error unheard) {
      // There is nowhere left to say it.
    }
  }
}
