// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.background.SafeLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The companions that are closed together with a cache. Thread-safe; companions are closed outside
 * of its lock.
 */
public final class CloseHooks implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CloseHooks.class);

  private final List<AutoCloseable> open = new ArrayList<>();
  private boolean closed;

  /** Takes one in, or closes it if the others are closed already. */
  public void add(AutoCloseable companion) {
    Objects.requireNonNull(companion, "companion");
    synchronized (this) {
      if (!closed) {
        open.add(companion);
        return;
      }
    }
    closeQuietly(companion);
  }

  /** Removes a companion, which stays open. */
  public synchronized void remove(AutoCloseable companion) {
    open.remove(companion);
  }

  /** Closes all of them, and from now on each that comes. */
  @Override
  public void close() {
    List<AutoCloseable> last;
    synchronized (this) {
      closed = true;
      last = List.copyOf(open);
      open.clear();
    }
    last.forEach(CloseHooks::closeQuietly);
  }

  /** One that fails must not keep the others open. */
  static void closeQuietly(AutoCloseable companion) {
    try {
      companion.close();
    } catch (Exception | Error e) {
      SafeLog.error(LOG, "{} did not close with its {}", companion, "cache", e);
    }
  }
}
