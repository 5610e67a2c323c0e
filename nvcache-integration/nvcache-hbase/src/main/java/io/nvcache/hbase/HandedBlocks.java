// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * Blocks that readers missed while the hot outputs of a compaction are read back: nearly all of
 * them are wanted then, and the thread that reads back offers them as well. So readers wait for no
 * write, and what they have read is not read a second time.
 *
 * <p><b>Guarantees.</b> Holds one reference of each of at most {@value #PLACES} blocks, and none
 * while it is shut. Thread-safe; no lock is taken while it is shut.
 */
final class HandedBlocks {
  private static final int PLACES = 32;

  private final ArrayBlockingQueue<Handed> blocks = new ArrayBlockingQueue<>(PLACES);
  private final Consumer<Handed> offer;
  private volatile boolean open;

  /** A block to be offered; retained until then. */
  record Handed(BlockCacheKey key, long fileId, Cacheable block, int lengthBytes) {}

  /**
   * Begins shut.
   *
   * @param offer what becomes of each block; may be called by any thread
   */
  HandedBlocks(Consumer<Handed> offer) {
    this.offer = offer;
  }

  /** Takes blocks from now on; the caller offers them now and then. */
  void open() {
    open = true;
  }

  /** Takes a block over; false if the caller has to offer it. */
  boolean take(BlockCacheKey key, long fileId, Cacheable block, int lengthBytes) {
    if (!open) {
      return false;
    }
    block.retain();
    if (!blocks.offer(new Handed(key, fileId, block, lengthBytes))) {
      block.release();
      return false;
    }
    if (!open) {
      offerAll(); // Nobody else may come any more.
    }
    return true;
  }

  /** Offers all that was taken over. */
  void offerAll() {
    for (Handed next = blocks.poll(); next != null; next = blocks.poll()) {
      try {
        offer.accept(next);
      } finally {
        next.block().release();
      }
    }
  }

  /** Takes no block any more, and offers those that there are. */
  void shut() {
    open = false;
    offerAll();
  }
}
