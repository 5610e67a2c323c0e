// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.ForwardingBlockCache;

/** Counts the snapshots that are taken of another cache. */
final class CountingCache extends ForwardingBlockCache {
  int snapshots;

  CountingCache(BlockCache cache) {
    super(cache);
  }

  @Override
  public CacheStats stats() {
    snapshots++;
    return super.stats();
  }
}
