// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import java.util.SplittableRandom;

/**
 * Hashes a file id and an offset with a seed: with a hash that is the same in every process, blocks
 * could be computed that share their counters in the {@link DemandSketch}, and a user who chooses
 * offsets could make a block that no reader asks for look wanted. Not a cryptographic hash.
 */
final class BlockHash {
  private final long first;
  private final long second;
  private final long last;

  BlockHash(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    this.first = random.nextLong();
    this.second = random.nextLong();
    this.last = random.nextLong();
  }

  /** All 64 bits of the block's hash; no two blocks of a file have the same. */
  long of(long fileId, long offset) {
    long file = DemandSketch.mix(fileId ^ first);
    // Twice, since what two offsets differ in shows through one round of a known mixing.
    return DemandSketch.mix(DemandSketch.mix(file ^ offset ^ second) ^ last);
  }
}
