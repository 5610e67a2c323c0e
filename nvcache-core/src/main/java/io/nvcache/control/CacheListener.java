// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

/**
 * Receives the changes of a cache's state. Called by the thread that does the cache's background
 * work, or by the one that reports {@link Condition#NO_GAIN}, one event after the other; what it
 * throws, an {@link Error} too, is logged and goes no further: later listeners hear of the event,
 * and the work continues.
 *
 * <p>It may call all of the cache, and close it. The background work waits for it, so a listener
 * that takes long should hand over to its own thread; it must not wait for another thread that
 * calls {@link CacheControl#maintain}.
 */
@FunctionalInterface
public interface CacheListener {
  /** Receives what began or ended. */
  void changed(CacheEvent event);
}
