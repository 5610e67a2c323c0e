// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;

/** The hottest of the blocks that were added, up to a number that bounds the heap it takes. */
final class HottestBlocks {
  private static final Comparator<HotBlock> COLDEST_FIRST =
      Comparator.comparingDouble(HotBlock::heat);

  private final PriorityQueue<HotBlock> blocks = new PriorityQueue<>(COLDEST_FIRST);
  private final int mostBlocks;

  HottestBlocks(int mostBlocks) {
    this.mostBlocks = mostBlocks;
  }

  void add(HotBlock block) {
    if (blocks.size() == mostBlocks) {
      if (block.heat() <= blocks.element().heat()) {
        return;
      }
      blocks.remove();
    }
    blocks.add(block);
  }

  /** Returns the blocks in the order of their heat, and forgets them. */
  Deque<HotBlock> takeHottestFirst() {
    Deque<HotBlock> taken = new ArrayDeque<>(blocks.size());
    while (!blocks.isEmpty()) {
      taken.addFirst(blocks.remove());
    }
    return taken;
  }
}
