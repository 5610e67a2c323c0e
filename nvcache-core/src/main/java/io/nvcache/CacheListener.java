// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

/**
 * Is told when a cache's state changes. Called by the thread that does the cache's background work,
 * one event after the other; what it throws is logged and goes no further.
 */
@FunctionalInterface
public interface CacheListener {
  /** Something began or ended. */
  void changed(CacheEvent event);
}
