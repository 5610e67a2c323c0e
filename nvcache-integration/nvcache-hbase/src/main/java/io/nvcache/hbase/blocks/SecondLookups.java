// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.jspecify.annotations.Nullable;

/**
 * What HBase's second lookups of blocks are answered from. HBase's reader looks a block up, misses,
 * takes the block's lock and looks it up again, because another reader may have read and offered it
 * in between. The second lookup goes to the cache only if the block was taken since ({@link
 * RecentOffers}). Otherwise it gets the block that was offered and refused ({@link RefusedBlocks}),
 * or is a miss that costs nothing. Thread-safe.
 */
public final class SecondLookups implements AutoCloseable {
  private final RecentOffers taken = new RecentOffers();
  private final RefusedBlocks refused = new RefusedBlocks();

  /** Notes that an offered block is cached. */
  public void taken(long fileId, long offset) {
    taken.add(fileId, offset);
  }

  /**
   * Notes that an offered block is not cached, and keeps it for a moment.
   *
   * @param lengthBytes of what would have been cached
   */
  public void refused(long fileId, long offset, int lengthBytes, Cacheable block) {
    refused.add(fileId, offset, lengthBytes, block);
  }

  /** Returns whether a block was offered a moment ago, and is probably still cached. */
  public boolean wasTaken(long fileId, long offset) {
    return taken.contains(fileId, offset);
  }

  /** Returns a block that was refused a moment ago, retained for the caller; null if none was. */
  public @Nullable Cacheable refusedBlock(long fileId, long offset) {
    return refused.find(fileId, offset);
  }

  /**
   * Notes that a block which was taken was not found any more: the next second lookup of it waits
   * for a new offer.
   */
  public void evicted(long fileId, long offset) {
    taken.remove(fileId, offset);
  }

  /** Releases the blocks that are kept. */
  @Override
  public void close() {
    refused.close();
  }
}
