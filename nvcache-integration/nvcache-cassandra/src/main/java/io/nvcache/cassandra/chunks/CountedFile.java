// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import io.nvcache.cassandra.agent.CachedFile;
import io.nvcache.cassandra.tier.Incarnations;
import io.nvcache.cassandra.tier.Tier;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A data file whose length counts in the data set that the small bypass holds against the DRAM,
 * from its opening to its last close. Thread-safe.
 */
abstract class CountedFile extends CachedFile {
  final Tier tier;
  final Incarnations.Incarnation file;
  private final AtomicBoolean released = new AtomicBoolean();

  CountedFile(Tier tier, Incarnations.Incarnation file) {
    this.tier = tier;
    this.file = file;
  }

  final boolean isReleased() {
    return released.get();
  }

  /** Counts what must not reach Cassandra. */
  final void failed(Throwable e) {
    tier.failed(e);
  }

  @Override
  public final void release() {
    if (released.compareAndSet(false, true)) {
      try {
        tier.closed(file);
      } catch (RuntimeException | Error e) {
        failed(e);
      }
    }
  }
}
