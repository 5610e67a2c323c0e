// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

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

  /** Adds a block. Returns the coldest if there is one too many, else null. */
  @Nullable HotBlock add(HotBlock block) {
    if (blocks.size() < mostBlocks) {
      blocks.add(block);
      return null;
    }
    if (block.heat() <= blocks.last().heat()) {
      return block;
    }
    blocks.add(block);
    return blocks.pollLast();
  }

  /** Takes all blocks out, and returns them in the order of their heat. */
  List<HotBlock> takeHottestFirst() {
    List<HotBlock> all = new ArrayList<>(blocks);
    blocks.clear();
    return all;
  }
}
