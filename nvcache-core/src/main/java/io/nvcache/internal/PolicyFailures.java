// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the exceptions of policies. A policy that throws loses its say on one block, not the store
 * its read: every failure is counted, and the first, second, fourth, eighth … is logged.
 */
final class PolicyFailures {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyFailures.class);

  private final AtomicLong failures = new AtomicLong();

  /** How many there were. */
  long count() {
    return failures.get();
  }

  void report(Object policy, Throwable failure) {
    long count = failures.incrementAndGet();
    if (Long.bitCount(count) == 1) {
      LOG.error("{} failed, {} times by now; the cache goes on without it", policy, count, failure);
    }
  }
}
