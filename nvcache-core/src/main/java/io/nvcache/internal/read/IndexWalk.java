// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.BlockWalk;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallerBuffers;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.index.NumberOwners;
import io.nvcache.internal.space.Allocator;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.Space;
import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the index slot by slot, a few hundred slots at a time, so that closing the cache never
 * waits for whoever walks.
 *
 * <p>An entry is told under the file that owns its number. As for a hit, the owner is looked up
 * after the entry was read, and then the entry has to stand unchanged: while it is in the index,
 * its number has one owner.
 */
public final class IndexWalk implements BlockWalk {
  private static final int CHUNK_SLOTS = 512;
  private static final int NONE = -1;

  private final BlockIndex index;
  private final FileTable files;
  private final Allocator allocator;
  private final Space space;
  private final MediumGuard guard;
  private final CallGate gate;
  private final BlockReads reads;

  private final long[] keys = new long[CHUNK_SLOTS];
  private final long[] fileIds = new long[CHUNK_SLOTS];
  private final long[] offsets = new long[CHUNK_SLOTS];
  private final int[] lengths = new int[CHUNK_SLOTS];
  private @Nullable NumberOwners owners;

  private int filled;
  private int at = NONE;
  private int nextSlot;

  public IndexWalk(BlockTables tables, BlockReads reads, MediumGuard guard, CallGate gate) {
    this.reads = reads;
    this.index = tables.index();
    this.files = tables.files();
    this.allocator = tables.allocator();
    this.space = tables.space();
    this.guard = guard;
    this.gate = gate;
  }

  @Override
  public boolean next() {
    at++;
    while (at >= filled) {
      if (!readChunk()) {
        at = NONE;
        filled = 0;
        return false;
      }
    }
    return true;
  }

  private boolean readChunk() {
    at = 0;
    filled = 0;
    int stripe = gate.begin();
    try {
      if (gate.isClosed() || nextSlot >= index.slots()) {
        return false;
      }
      int end = Math.min(index.slots(), nextSlot + CHUNK_SLOTS);
      for (; nextSlot < end; nextSlot++) {
        readSlot(nextSlot);
      }
      return true;
    } finally {
      gate.end(stripe);
    }
  }

  private void readSlot(int slot) {
    long bucket = index.bucketOf(slot);
    int i = BlockIndex.inBucket(slot);
    for (int attempt = 1; ; attempt++) {
      int version = Bucket.versionAcquire(bucket);
      if (Bucket.isLocked(version)) {
        Bucket.pause(attempt);
        continue;
      }
      long key = index.keyIn(bucket, i);
      if (key == BucketLayout.EMPTY_KEY) {
        return;
      }
      int number = BucketLayout.fileNumber(key);
      int length = allocator.slotBytes(Bucket.location(bucket, i)) - Bucket.slack(bucket, i);
      NumberOwners known = ownersOf(number);
      if (isStill(known, number) && Bucket.isUnchanged(bucket, version)) {
        if (known.knows(number)) {
          add(key, known.fileId(number), known.segment(number), length);
        }
        return;
      }
    }
  }

  /** As they were last read, unless the number has got another owner since. */
  private NumberOwners ownersOf(int number) {
    NumberOwners known = owners;
    if (known == null || !isStill(known, number)) {
      known = files.owners();
      owners = known;
    }
    return known;
  }

  private boolean isStill(NumberOwners known, int number) {
    return known.knows(number)
        ? files.isStill(number, known.fileId(number), known.segment(number), known.drops())
        : files.isDropped(number);
  }

  private void add(long key, long fileId, int segment, int length) {
    keys[filled] = key;
    fileIds[filled] = fileId;
    offsets[filled] = (long) segment << BucketLayout.OFFSET_BITS | (key & BucketLayout.OFFSET_MASK);
    lengths[filled] = length;
    filled++;
  }

  private int current() {
    if (at == NONE) {
      throw new IllegalStateException(
          "the walk is at no block; call next first, until it is false");
    }
    return at;
  }

  @Override
  public long fileId() {
    return fileIds[current()];
  }

  @Override
  public long offset() {
    return offsets[current()];
  }

  @Override
  public int lengthBytes() {
    return lengths[current()];
  }

  @Override
  public int peek(ByteBuffer dst) {
    CallerBuffers.checkRoom(dst, 0);
    if (!RawMemory.mayVanish(dst)) {
      return peekInto(dst);
    }
    ByteBuffer copy = ByteBuffer.allocate(Math.min(lengthBytes(), dst.remaining()));
    int copied = peekInto(copy);
    CallerBuffers.put(dst, copy.flip());
    return copied;
  }

  private int peekInto(ByteBuffer dst) {
    long key = keys[current()];
    int stripe = gate.begin();
    try {
      return gate.isClosed() || guard.isOut() ? BlockCache.MISS : peek(key, dst);
    } finally {
      gate.end(stripe);
    }
  }

  /**
   * As a lookup reads, but for the counts: what failed, or is not what was written, is found out
   * and dealt with by the next lookup.
   */
  private int peek(long key, ByteBuffer dst) {
    long found = index.find(key);
    int slot = BlockIndex.slot(found);
    if (slot < 0) {
      return BlockCache.MISS;
    }
    long location = index.location(slot);
    int length = allocator.slotBytes(location) - index.slack(slot);
    if (length != lengthBytes() || !space.holds(location, length)) {
      return BlockCache.MISS; // Torn, or another version of the block by now.
    }
    int copied = reads.copy(slot, location, length, 0, dst);
    int number = BucketLayout.fileNumber(key);
    if (copied < 0
        || files.find(fileId(), BucketLayout.segment(offset())) != number
        || !index.isUnchanged(found)) {
      return BlockCache.MISS;
    }
    dst.position(dst.position() + copied);
    return copied;
  }
}
