// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a cache: lets no call in any more, closes what stands beside it, and, when no call is inside
 * and the background work has ended, frees what both of them touch.
 *
 * <p>Who closes the cache waits for these two no longer than a call may take that does not hang;
 * then a thread waits in their place. So closing returns though the medium hangs, and though it is
 * the background work that closes the cache, or waits for somebody who does: a listener may.
 */
final class Closing {
  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private final CallGate gate;
  private final Maintenance maintenance;
  private final long patienceNanos;
  private final List<AutoCloseable> parts;
  private final Companions companions = new Companions();

  /**
   * @param parts what calls and the background work touch, in the order in which it is closed
   */
  Closing(CallGate gate, Maintenance maintenance, long patienceNanos, List<AutoCloseable> parts) {
    this.gate = gate;
    this.maintenance = maintenance;
    this.patienceNanos = patienceNanos;
    this.parts = parts;
  }

  /** Has something closed while calls may still be inside; at once if the cache is closed. */
  void addCompanion(AutoCloseable companion) {
    companions.add(companion);
  }

  void removeCompanion(AutoCloseable companion) {
    companions.remove(companion);
  }

  /** Ends the cache; the second time does nothing. */
  void run() {
    if (!gate.shut()) {
      return;
    }
    maintenance.end();
    companions.close();
    if (!gate.awaitEmpty(patienceNanos)) {
      LOG.warn("calls are inside a medium that hangs; its memory is freed when they have ended");
      freeLater();
    } else if (!maintenance.awaitEnd(patienceNanos)) {
      LOG.info("background work is still running; the cache's memory is freed when it has ended");
      freeLater();
    } else {
      free();
    }
  }

  private void freeLater() {
    Thread waiting =
        new Thread(
            () -> {
              boolean ended =
                  gate.awaitEmpty(Long.MAX_VALUE) && maintenance.awaitEnd(Long.MAX_VALUE);
              assert ended;
              free();
            },
            "nvcache-close");
    waiting.setDaemon(true);
    waiting.start();
  }

  /** All of it, whatever one part throws: the medium comes last, and may have bytes to wipe. */
  private void free() {
    parts.forEach(Companions::closeQuietly);
  }
}
