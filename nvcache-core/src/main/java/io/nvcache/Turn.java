// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One call's turn to change what the tiers hold of one block. A load, an offer and an invalidation
 * each are a turn.
 *
 * <pre>
 *   load:                 LOADING ──publish()──▶ PUBLISHING ──end()──▶ DONE
 *                            └─────settle()────▶ STALE
 *   offer, invalidation:                         PUBLISHING ──end()──▶ DONE
 * </pre>
 *
 * <p><b>Invariants.</b> Bytes go into a tier only in PUBLISHING, by the thread whose turn it is;
 * that phase is short, no I/O on the store's files is done in it. When {@link #settle} has
 * returned, the phase is STALE or DONE and this turn never again puts anything into a tier.
 */
class Turn {
  private enum Phase {
    LOADING,
    PUBLISHING,
    DONE,
    STALE
  }

  private final AtomicReference<Phase> phase;
  private final CountDownLatch over = new CountDownLatch(1);

  private Turn(Phase first) {
    phase = new AtomicReference<>(first);
  }

  /** A load's turn: it has yet to get its bytes. */
  Turn() {
    this(Phase.LOADING);
  }

  /** The turn of a call that has all it needs. */
  static Turn publishing() {
    return new Turn(Phase.PUBLISHING);
  }

  /** Asks for leave to put the loaded bytes into the tiers. {@code false}: they are stale. */
  final boolean publish() {
    return phase.compareAndSet(Phase.LOADING, Phase.PUBLISHING);
  }

  /** Ends PUBLISHING. */
  final void end() {
    phase.set(Phase.DONE);
    over.countDown();
  }

  final boolean isStale() {
    return phase.get() == Phase.STALE;
  }

  /** Keeps this turn out of the tiers from now on; waits for the end of PUBLISHING. */
  final void settle() {
    if (phase.compareAndSet(Phase.LOADING, Phase.STALE) || isStale()) {
      return;
    }
    boolean interrupted = false;
    while (true) {
      try {
        over.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true; // the wait is short, and the invalidation must be whole
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
