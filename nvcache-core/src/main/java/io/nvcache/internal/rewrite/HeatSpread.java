// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import java.util.HashMap;
import java.util.Map;

/**
 * Spreads the heat of input blocks over the output blocks that they were merged into.
 *
 * <p>Of each input file one block is open at a time. An output block gets a share of each input
 * block that was open at some time since the output block before it: of one that is finished, its
 * heat divided by the outputs that it was open for; of one that is still open, by the outputs that
 * the blocks of its file took on average. Before a file has finished a block, it is taken to
 * advance as fast as the others: with k inputs open, a block is spread over k outputs.
 *
 * <p>For one thread.
 */
final class HeatSpread {
  private final Map<Long, Input> inputs = new HashMap<>();

  /**
   * The shares of the blocks that were finished since the last output block. A sum and no list: a
   * rewrite that reports no output may read a terabyte.
   */
  private double finishedShares;

  /** One block of an input file. */
  private static final class Block {
    final long offset;
    final double heat;
    int outputs;

    Block(long offset, double heat) {
      this.offset = offset;
      this.heat = heat;
    }
  }

  /** One input file: the block that is open, and how far the finished ones were spread. */
  private static final class Input {
    Block open;
    long finishedBlocks;
    long outputsOfFinished;

    Input(Block open) {
      this.open = open;
    }

    double meanOutputs(int openInputs) {
      return finishedBlocks == 0 ? openInputs : (double) outputsOfFinished / finishedBlocks;
    }
  }

  /** Returns whether a block is the one that is open of its file. */
  boolean isOpen(long fileId, long offset) {
    Input input = inputs.get(fileId);
    return input != null && input.open.offset == offset;
  }

  /** Opens a block, and finishes the one of the same file that was open. */
  void open(long fileId, long offset, double heat) {
    Block next = new Block(offset, heat);
    Input input = inputs.get(fileId);
    if (input == null) {
      inputs.put(fileId, new Input(next));
      return;
    }
    Block last = input.open;
    last.outputs++; // The output block that is being written now.
    input.finishedBlocks++;
    input.outputsOfFinished += last.outputs;
    finishedShares += last.heat / last.outputs;
    input.open = next;
  }

  /** Returns the heat of the output block that is complete now. */
  double wrote() {
    double heat = finishedShares;
    finishedShares = 0;
    for (Input input : inputs.values()) {
      Block open = input.open;
      open.outputs++;
      heat += open.heat / Math.max(open.outputs, input.meanOutputs(inputs.size()));
    }
    return heat;
  }
}
