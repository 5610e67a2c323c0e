// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.control.CacheControl;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.ReasonLedger;
import io.nvcache.control.ShadowReport;

/** A cache as a monitor reads it: its counts are a recent snapshot's. */
public record Reading(BlockCache cache, RecentStats recent) {
  /** Returns the counts with their reasons. */
  public ReasonLedger ledger() {
    return recent.ledgerOf(cache);
  }

  /** Returns the counts. */
  public CacheStats stats() {
    return ledger().stats();
  }

  /** Returns the control of the cache, which is of this moment. */
  public CacheControl control() {
    return cache.control();
  }

  /** Returns the health of this moment. */
  public CacheHealth health() {
    return control().health();
  }

  /** Returns what shadows have found up to this moment. */
  public ShadowReport shadows() {
    return control().shadows().report();
  }
}
