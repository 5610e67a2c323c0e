// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.files;

import java.util.BitSet;
import java.util.Set;

/**
 * The blocks of a file that a merge wrote which searches will want, and the files that it was
 * merged of whose place in the cache they are to take.
 *
 * <p>For one thread at a time, except for {@link #inputsOf}.
 */
public final class HotBlocks {
  private final BitSet blocks;

  /** Inputs of which blocks were cached. */
  private final Set<CachedFile> inputs;

  /** How many of the inputs were gone when it was last tried to load the blocks. */
  private int goneAtLastTry;

  /**
   * Takes over what a merge noted.
   *
   * @param blocks by number
   * @param inputs those of which blocks were cached
   */
  public HotBlocks(BitSet blocks, Set<CachedFile> inputs) {
    this.blocks = blocks;
    this.inputs = Set.copyOf(inputs);
  }

  /** Returns those that have not been loaded, by number; the caller clears what has. */
  public BitSet blocks() {
    return blocks;
  }

  /** Returns the inputs in whose place a block is wanted. */
  Set<CachedFile> inputsOf(int block) {
    return blocks.get(block) ? inputs : Set.of();
  }

  public int inputs() {
    return inputs.size();
  }

  public int goneInputs() {
    int gone = 0;
    for (CachedFile input : inputs) {
      gone += input.isGone() ? 1 : 0;
    }
    return gone;
  }

  public int goneAtLastTry() {
    return goneAtLastTry;
  }

  /** Notes that it was tried to load the blocks. */
  public void tried(int gone) {
    goneAtLastTry = gone;
  }
}
