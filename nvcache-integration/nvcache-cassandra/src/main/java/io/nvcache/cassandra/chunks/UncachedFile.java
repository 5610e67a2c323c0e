// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import io.nvcache.cassandra.tier.Incarnations;
import io.nvcache.cassandra.tier.Tier;
import java.nio.ByteBuffer;

/** The tag of a data file that is not to be cached: only its length counts. Thread-safe. */
public final class UncachedFile extends CountedFile {
  public UncachedFile(Tier tier, Incarnations.Incarnation file) {
    super(tier, file);
  }

  @Override
  public int read(ByteBuffer dst, long position) {
    return 0;
  }

  @Override
  public void missed(ByteBuffer dst, long position, int bytes) {}
}
