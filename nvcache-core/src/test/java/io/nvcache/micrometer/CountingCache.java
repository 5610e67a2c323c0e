// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.nvcache.BlockCache;
import io.nvcache.ForwardingBlockCache;
import io.nvcache.ReasonLedger;

/** Counts the snapshots that are taken of another cache. */
final class CountingCache extends ForwardingBlockCache {
  int snapshots;

  CountingCache(BlockCache cache) {
    super(cache);
  }

  @Override
  public ReasonLedger ledger() {
    snapshots++;
    return super.ledger();
  }
}
