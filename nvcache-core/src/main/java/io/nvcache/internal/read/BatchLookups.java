// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.control.MissReason;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.ReadsAhead;
import java.nio.ByteBuffer;

/**
 * Lookups of blocks that may have been read ahead. They find, count and mark as {@link Lookups} do:
 * only where the bytes come from differs, and the entry must be unchanged after that as well.
 */
final class BatchLookups extends ValidatedRead<ReadsAhead> {
  private final Lookups lookups;
  private final BlockReads reads;

  BatchLookups(BlockTables tables, Lookups lookups, BlockReads reads) {
    super(tables);
    this.lookups = lookups;
    this.reads = reads;
  }

  /** Copies a block, and moves the buffer's position by its length. */
  int copy(long fileId, long offset, ByteBuffer dst, ReadsAhead ahead, int stripe) {
    ahead.wantIn(dst);
    return read(fileId, offset, BlockReads.WHOLE, ahead, stripe);
  }

  @Override
  int take(int slot, long location, int length, int from, ReadsAhead ahead) {
    return reads.copy(slot, location, length, ahead, ahead.wantedIn());
  }

  @Override
  void undo(int copied, long location, int stripe) {
    lookups.undo(copied, location, stripe);
  }

  @Override
  int accept(
      int copied, int slot, long location, int length, int from, ReadsAhead ahead, int stripe) {
    return lookups.accept(copied, slot, location, length, from, ahead.wantedIn(), stripe);
  }

  @Override
  int missed(MissReason reason, int stripe) {
    return lookups.missed(reason, stripe);
  }
}
