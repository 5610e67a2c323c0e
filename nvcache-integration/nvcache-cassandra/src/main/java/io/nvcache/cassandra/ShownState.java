// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.BlockCache;
import io.nvcache.control.CacheHealth;
import org.jspecify.annotations.Nullable;

/**
 * The state of a node's cache as operators see it: where it is in its life and, while it serves,
 * whether it really does.
 *
 * @param state of {@link NodeState} or of {@link CacheHealth.State}
 * @param problem why it does not serve; empty if it does, or was not asked to
 */
record ShownState(String state, String problem) {
  static ShownState of(NodeState life, @Nullable String problem, @Nullable BlockCache cache) {
    if (life == NodeState.SERVING && cache != null) {
      CacheHealth health = cache.control().health();
      return new ShownState(health.state().name(), health.reason());
    }
    return new ShownState(life.name(), problem == null ? "" : problem);
  }
}
