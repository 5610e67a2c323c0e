// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.cassandra.agent.CachedFile;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The tag of a data file that is not to be cached: only its length counts, in the data set that the
 * small bypass holds against the DRAM, from its opening to its last close. Thread-safe.
 */
final class UncachedFile extends CachedFile {
  private final Tier tier;
  private final Incarnations.Incarnation file;
  private final AtomicBoolean released = new AtomicBoolean();

  UncachedFile(Tier tier, Incarnations.Incarnation file) {
    this.tier = tier;
    this.file = file;
  }

  @Override
  public int read(ByteBuffer dst, long position) {
    return 0;
  }

  @Override
  public void missed(ByteBuffer dst, long position, int bytes) {}

  @Override
  public void release() {
    if (released.compareAndSet(false, true)) {
      try {
        tier.closed(file);
      } catch (RuntimeException | Error e) {
        tier.bypasses().count(Bypass.FAILURE);
        NodeLog.failed(e);
      }
    }
  }
}
