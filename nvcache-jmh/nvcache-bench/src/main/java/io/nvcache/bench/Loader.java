// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.bench.contender.Contender;
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
    return load(contender, blockBytes, 0, blocks);
  }

  /**
   * Puts as many blocks in as a cache is made for and, if they are not all there, 1/8 more, so that
   * it is as full as it stays.
   *
   * @return how many are there afterwards
   */
  static int loadFull(Contender contender, int blockBytes, int blocks) {
    int held = load(contender, blockBytes, blocks).length;
    return held == blocks ? held : load(contender, blockBytes, blocks, blocks + blocks / 8).length;
  }

  /** Puts the blocks from {@code first} on in; the keys of all that are there afterwards. */
  private static int[] load(Contender contender, int blockBytes, int first, int end) {
    ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
    for (int key = first; key < end; key++) {
      contender.put(key, Contender.stamped(block, key));
    }
    contender.settle();
    return IntStream.range(0, end).filter(key -> contender.get(key, block.clear())).toArray();
  }
}
