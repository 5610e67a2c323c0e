// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.control.MissReason;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.ReadsAhead;

/** Finds blocks that are to be read together. Counts nothing: the lookups that follow do. */
final class PlannedReads extends ValidatedRead<ReadsAhead> {
  PlannedReads(BlockTables tables) {
    super(tables);
  }

  @Override
  int take(int slot, long location, int length, int from, ReadsAhead ahead) {
    return length;
  }

  @Override
  int accept(
      int taken, int slot, long location, int length, int from, ReadsAhead ahead, int stripe) {
    if (length <= ahead.wantedIn().remaining()) {
      ahead.plan(slot, location, length);
    }
    return length;
  }

  @Override
  int missed(MissReason reason, int stripe) {
    return BlockCache.MISS;
  }
}
