// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

/** Makes the eviction policy of one cache. */
@FunctionalInterface
public interface EvictionFactory {
  /** Makes a policy for the slots of one index. */
  EvictionPolicy create(EvictionContext context);
}
