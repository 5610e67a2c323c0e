// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;

/** Fills a contender. */
final class Loader {
  private Loader() {}

  /** The keys from 0 to {@code count} − 1. */
  static int[] keys(int count) {
    return IntStream.range(0, count).toArray();
  }

  /**
   * Puts the blocks from 0 to {@code blocks} − 1 in.
   *
   * @return the keys of those that are there afterwards
   */
  static int[] load(Contender contender, int blockBytes, int blocks) {
    ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
    for (int key = 0; key < blocks; key++) {
      contender.put(key, Contender.stamped(block, key));
    }
    contender.settle();
    return IntStream.range(0, blocks).filter(key -> contender.get(key, block.clear())).toArray();
  }
}
