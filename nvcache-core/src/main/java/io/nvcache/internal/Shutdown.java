// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.background.DaemonThread;
import io.nvcache.background.Ending;
import io.nvcache.background.SafeLog;
import io.nvcache.internal.gate.CallGate;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a cache: lets no call in any more, closes its companions, and, when no call is inside and
 * the background work has ended, frees what both of them touch.
 *
 * <p>Who closes the cache waits for these two no longer than a call may take that does not hang;
 * then a thread waits in their place. So closing returns though the medium hangs, and though it is
 * the background work that closes the cache, or waits for a thread that does: a listener may.
 */
public final class Shutdown {
  private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
  private static final String FREED_LATER = "its memory is freed when they have ended";

  private final CallGate gate;
  private final List<Ending> background;
  private final long patienceNanos;
  private final List<AutoCloseable> parts;
  private final CloseHooks companions = new CloseHooks();

  /** Whether someone ends the cache, or has. */
  private final AtomicBoolean begun = new AtomicBoolean();

  /**
   * Makes the end of a cache.
   *
   * @param background the work that is ended
   * @param parts what calls and the background work touch, in the order in which it is closed
   */
  Shutdown(CallGate gate, List<Ending> background, long patienceNanos, List<AutoCloseable> parts) {
    this.gate = gate;
    this.background = background;
    this.patienceNanos = patienceNanos;
    this.parts = parts;
  }

  /**
   * Registers a resource to close while calls may still be inside; closes it at once if the cache
   * is closed.
   */
  void addCompanion(AutoCloseable companion) {
    companions.add(companion);
  }

  void removeCompanion(AutoCloseable companion) {
    companions.remove(companion);
  }

  /** Refuses a call of the thread that holds a lock of the index. */
  void refuseToWaitForItself() {
    gate.holders().refuseToWaitForItself();
  }

  /** Returns whether the cache has ended, or does now. */
  boolean hasBegun() {
    return begun.get();
  }

  /**
   * Ends the cache; the second time does nothing, unless the first one threw, for want of memory or
   * of a thread: then it does what is left.
   */
  void run() {
    refuseToWaitForItself();
    boolean unused = gate.shut(); // By each caller: when one returns, no call is let in.
    if (!begun.compareAndSet(false, true)) {
      return;
    }
    boolean isSeenTo = false;
    boolean mayFree;
    try {
      mayFree = end();
      if (!mayFree) {
        freeLater();
      }
      isSeenTo = true;
    } finally {
      if (!isSeenTo) {
        begun.set(false);
      }
    }
    if (mayFree) {
      free();
    }
  }

  /** Returns whether no call is inside and no background work is running any more. */
  private boolean end() {
    background.forEach(Ending::end);
    companions.close();
    if (gate.isInside() || !gate.awaitEmpty(patienceNanos)) {
      SafeLog.warn(LOG, "calls are still inside {}; {}", "the cache", FREED_LATER);
      return false;
    }
    if (!awaitBackground(patienceNanos)) {
      SafeLog.info(LOG, "background work is still running; {}", FREED_LATER);
      return false;
    }
    return true;
  }

  private boolean awaitBackground(long nanos) {
    for (Ending work : background) {
      if (!work.awaitEnd(nanos)) {
        return false;
      }
    }
    return true;
  }

  private void freeLater() {
    Thread waiting =
        DaemonThread.of(
            "nvcache-close",
            () -> {
              boolean ended = gate.awaitEmpty(Long.MAX_VALUE) && awaitBackground(Long.MAX_VALUE);
              assert ended;
              free();
            });
    waiting.start();
  }

  /** All of it, whatever one part throws: the medium comes last, and may have bytes to wipe. */
  private void free() {
    parts.forEach(CloseHooks::closeQuietly);
  }
}
