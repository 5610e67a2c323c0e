// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import java.util.Comparator;
import java.util.Iterator;
import java.util.TreeSet;

/**
 * The hottest of the blocks that were added, up to a number that bounds the heap it takes. Each
 * finds its place as it is added: a rewrite has time for that, where readers miss its blocks from
 * the commit on until they are carried.
 */
final class HottestBlocks {
  private static final Comparator<HotBlock> HOTTEST_FIRST =
      Comparator.comparingDouble(HotBlock::heat)
          .reversed()
          .thenComparingLong(HotBlock::fileId)
          .thenComparingLong(HotBlock::offset);

  private final TreeSet<HotBlock> blocks = new TreeSet<>(HOTTEST_FIRST);
  private final int mostBlocks;

  HottestBlocks(int mostBlocks) {
    this.mostBlocks = mostBlocks;
  }

  void add(HotBlock block) {
    if (blocks.size() == mostBlocks) {
      if (block.heat() <= blocks.last().heat()) {
        return;
      }
      blocks.pollLast();
    }
    blocks.add(block);
  }

  /** Returns the blocks in the order of their heat. */
  Iterator<HotBlock> hottestFirst() {
    return blocks.iterator();
  }

  /** Forgets the blocks. */
  void clear() {
    blocks.clear();
  }
}
