// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.jspecify.annotations.Nullable;

/**
 * Hands blocks that the cache did not take on to the readers that wait for them. They would each go
 * to the disk otherwise.
 *
 * <p><b>Guarantees.</b> Holds one reference of each of at most {@value #PLACES} blocks, the last
 * that were refused, and of no more than {@value #MOST_BYTES} bytes in all, except for a block of
 * each thread that adds one right now: a block's memory is the heap's or the buffer pool's of
 * HBase, and few long blocks would take what the pool has. A block that is returned is retained for
 * the caller. Lossy: a block may be gone when another one falls on its place, or needs its bytes.
 * No lock is taken where the block is not there.
 */
final class RefusedBlocks implements AutoCloseable {
  private static final int PLACES = 64;
  static final int MOST_BYTES = 16 << 20;

  /** Longer blocks are not held: few of them would leave no bytes for all others. */
  static final int LONGEST_BYTES = 1 << 20;

  private final AtomicReferenceArray<@Nullable Refused> places = new AtomicReferenceArray<>(PLACES);

  /** The bytes of the blocks that are held, and of those that come in or go right now. */
  private final AtomicLong bytes = new AtomicLong();

  /** Which block goes next where bytes are short. */
  private final AtomicInteger next = new AtomicInteger();

  /** Its monitor guards the reference, so that no thread retains a block that was released. */
  private static final class Refused {
    private final long fileId;
    private final long offset;
    private final int lengthBytes;
    private @Nullable Cacheable block;

    Refused(long fileId, long offset, int lengthBytes, Cacheable block) {
      this.fileId = fileId;
      this.offset = offset;
      this.lengthBytes = lengthBytes;
      this.block = block;
    }

    synchronized @Nullable Cacheable retain() {
      Cacheable held = block;
      return held == null ? null : held.retain();
    }

    synchronized void letGo() {
      Cacheable held = block;
      block = null;
      if (held != null) {
        held.release();
      }
    }
  }

  /**
   * Keeps a block for a moment, instead of others, unless it is long.
   *
   * @param lengthBytes of the block
   */
  public void add(long fileId, long offset, int lengthBytes, Cacheable block) {
    if (lengthBytes > LONGEST_BYTES) {
      return;
    }
    int place = place(fileId, offset);
    put(place, new Refused(fileId, offset, lengthBytes, block.retain()));
    for (int tries = 0; bytes.get() > MOST_BYTES && tries < PLACES; tries++) {
      int other = Math.floorMod(next.getAndIncrement(), PLACES);
      if (other != place) {
        put(other, null);
      }
    }
  }

  /** Returns the bytes of the blocks that are held. */
  long bytes() {
    return bytes.get();
  }

  /** The block, retained for the caller; null if it is not among the last that were refused. */
  public @Nullable Cacheable find(long fileId, long offset) {
    Refused refused = places.getAcquire(place(fileId, offset));
    return refused != null && refused.fileId == fileId && refused.offset == offset
        ? refused.retain()
        : null;
  }

  private void put(int place, @Nullable Refused refused) {
    if (refused != null) {
      bytes.addAndGet(refused.lengthBytes);
    }
    Refused before = places.getAndSet(place, refused);
    if (before != null) {
      before.letGo();
      bytes.addAndGet(-before.lengthBytes);
    }
  }

  private static int place(long fileId, long offset) {
    return (int) (RecentOffers.mix(fileId, offset) >>> 58);
  }

  @Override
  public void close() {
    for (int place = 0; place < PLACES; place++) {
      put(place, null);
    }
  }
}
