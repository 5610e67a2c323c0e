// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import io.nvcache.admission.Traffic;
import java.util.concurrent.atomic.AtomicLong;

/** Traffic that a test counts itself. */
public final class ManualTraffic implements Traffic {
  private final AtomicLong lookups = new AtomicLong();
  private final AtomicLong hits = new AtomicLong();
  private final AtomicLong insertedBlocks = new AtomicLong();
  private final AtomicLong removedBlocks = new AtomicLong();

  public ManualTraffic lookUp(long count) {
    lookups.addAndGet(count);
    return this;
  }

  /** Lookups that found their block. */
  public ManualTraffic hit(long count) {
    lookups.addAndGet(count);
    hits.addAndGet(count);
    return this;
  }

  public ManualTraffic insert(long count) {
    insertedBlocks.addAndGet(count);
    return this;
  }

  public ManualTraffic remove(long count) {
    removedBlocks.addAndGet(count);
    return this;
  }

  @Override
  public long lookups() {
    return lookups.get();
  }

  @Override
  public long hits() {
    return hits.get();
  }

  @Override
  public long insertedBlocks() {
    return insertedBlocks.get();
  }

  @Override
  public long removedBlocks() {
    return removedBlocks.get();
  }

  @Override
  public String toString() {
    return lookups + " lookups, " + insertedBlocks + " inserts, " + removedBlocks + " removals";
  }
}
