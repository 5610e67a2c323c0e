// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.util.BitSet;
import java.util.Set;

/**
 * The blocks of a file that a merge wrote which searches will want, and the files that it was
 * merged of whose place in the cache they are to take.
 *
 * <p>For one thread at a time, except for {@link #inputs}.
 */
final class HotBlocks {
  /** By number. */
  final BitSet blocks;

  /** Those of which blocks were cached. */
  final Set<CachedFile> inputs;

  /** How many of the inputs were gone when it was last tried to load the blocks. */
  int goneInputs;

  HotBlocks(BitSet blocks, Set<CachedFile> inputs) {
    this.blocks = blocks;
    this.inputs = Set.copyOf(inputs);
  }

  int countGoneInputs() {
    int gone = 0;
    for (CachedFile input : inputs) {
      gone += input.isGone() ? 1 : 0;
    }
    return gone;
  }
}
