// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.regions;

import io.nvcache.control.Settings;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.memory.BufferSum;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The proof of blocks that fill pages, and have no header: their sums, in the index. All of a block
 * is compared with it when the block is read for the first time after it was written or restored,
 * whatever the disk made of the write. From then on only what happens to it later is left to be
 * found, and a part of the reads is compared: {@link Settings#verifiedReads}.
 *
 * <p>Thread-safe.
 */
final class PageProof {
  private final BlockIndex index;
  private final Settings settings;

  PageProof(BlockIndex index, Settings settings) {
    this.index = index;
    this.settings = settings;
  }

  /** Returns the sum of the block in a slot, with what is known of it. */
  int of(int slot) {
    return index.sum(slot);
  }

  /** Returns whether a read that begins now is to be compared. */
  boolean isWanted(int proof) {
    return !BlockIndex.isVerified(proof)
        || ThreadLocalRandom.current().nextDouble() < settings.verifiedReads();
  }

  /** Returns whether a buffer holds a block, whole and unchanged. */
  static boolean holds(int proof, ByteBuffer bytes, int position, int lengthBytes) {
    return BlockIndex.isSum(proof, BufferSum.of(bytes, position, lengthBytes));
  }

  /** A block was compared, and is as it was written. */
  void held(int slot, long hash, long location, int proof) {
    if (!BlockIndex.isVerified(proof)) {
      index.verified(slot, hash, location, proof);
    }
  }
}
