// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.jspecify.annotations.Nullable;

/**
 * Hands blocks that the cache did not take on to the readers that wait for them.
 *
 * <p>HBase's reader reads a block and offers it under the block's lock; those who want the same
 * block wait for the lock and then look a second time. Without this they would each go to the disk
 * for a block that was not admitted.
 *
 * <p><b>Guarantees.</b> Holds one reference of each of at most {@value #PLACES} blocks, the last
 * that were refused. A block that is returned is retained for the caller. Lossy: a block may be
 * gone when another one falls on its place. No lock is taken where the block is not there.
 */
final class RefusedBlocks implements AutoCloseable {
  private static final int PLACES = 64;

  private final AtomicReferenceArray<@Nullable Refused> places = new AtomicReferenceArray<>(PLACES);

  /** Its monitor guards the reference, so that no thread retains a block that was released. */
  private static final class Refused {
    private final long fileId;
    private final long offset;
    private @Nullable Cacheable block;

    Refused(long fileId, long offset, Cacheable block) {
      this.fileId = fileId;
      this.offset = offset;
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

  /** Keeps a block for a moment, in the place of another one. */
  void add(long fileId, long offset, Cacheable block) {
    put(place(fileId, offset), new Refused(fileId, offset, block.retain()));
  }

  /** The block, retained for the caller; null if it is not among the last that were refused. */
  @Nullable Cacheable find(long fileId, long offset) {
    Refused refused = places.getAcquire(place(fileId, offset));
    return refused != null && refused.fileId == fileId && refused.offset == offset
        ? refused.retain()
        : null;
  }

  private void put(int place, @Nullable Refused refused) {
    Refused before = places.getAndSet(place, refused);
    if (before != null) {
      before.letGo();
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
