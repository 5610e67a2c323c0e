// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.control.BlockWalk;
import io.nvcache.control.MissReason;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallerBuffers;
import io.nvcache.internal.gate.CallersHold;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;

/**
 * Reads the index slot by slot, a few hundred slots at a time, so that closing the cache never
 * waits for a walk.
 */
public final class IndexWalk implements BlockWalk {
  private static final int CHUNK_SLOTS = 512;

  /**
   * Beyond these, the walk passes over the slot: a writer that holds its bucket hangs, or the entry
   * is damaged and names no place on the medium.
   */
  private static final int MOST_TRIES = 1024;

  private final BlockIndex index;
  private final FileTable files;
  private final MediumGuard guard;
  private final CallGate gate;
  private final BlockReads reads;
  private final LengthRead lengthRead;
  private final PeekRead peekRead;

  @SuppressWarnings("UnusedVariable") // Keeps the cache open.
  private final CallersHold hold;

  private final long[] fileIds = new long[CHUNK_SLOTS];
  private final long[] offsets = new long[CHUNK_SLOTS];
  private final int[] lengths = new int[CHUNK_SLOTS];
  private int filled;

  /** Below {@code filled} while the walk is at a block. */
  private int at;

  private int nextSlot;

  /** Whether the last entry could not be read for others that change it. */
  private boolean contended;

  public IndexWalk(
      BlockTables tables, BlockReads reads, MediumGuard guard, CallGate gate, CallersHold hold) {
    this.hold = hold;
    this.reads = reads;
    this.lengthRead = new LengthRead(tables);
    this.peekRead = new PeekRead(tables);
    this.index = tables.index();
    this.files = tables.files();
    this.guard = guard;
    this.gate = gate;
  }

  @Override
  public boolean next() {
    at++;
    while (at >= filled) {
      if (!readChunk()) {
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
        readSlot(nextSlot, stripe);
      }
      return true;
    } finally {
      gate.end(stripe);
    }
  }

  /**
   * Reads a slot's key and the owner of its file number, and then the entry by them, as a lookup
   * does. The key may be read during a change: an entry that was there all the time is found in its
   * slot, and one that lies in another slot belongs to that slot's turn.
   */
  private void readSlot(int slot, int stripe) {
    long key = index.key(slot);
    if (key == BucketLayout.EMPTY_KEY) {
      return;
    }
    int number = BucketLayout.fileNumber(key);
    long fileId = files.fileIdOf(number);
    int segment = files.segmentOf(number);
    if (files.find(fileId, segment) != number) {
      return; // Dropped, or restored and yet to be named.
    }
    long offset = (long) segment << BucketLayout.OFFSET_BITS | (key & BucketLayout.OFFSET_MASK);
    int length = lengthRead.read(fileId, offset, 0, this, stripe);
    for (int tries = 1; length < 0 && contended && tries < MOST_TRIES; tries++) {
      Bucket.pause(tries);
      length = lengthRead.read(fileId, offset, 0, this, stripe);
    }
    if (length >= 0) {
      add(fileId, offset, length);
    }
  }

  private void add(long fileId, long offset, int length) {
    fileIds[filled] = fileId;
    offsets[filled] = offset;
    lengths[filled] = length;
    filled++;
  }

  private int current() {
    if (at >= filled) {
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
    long fileId = fileId();
    int stripe = gate.begin();
    try {
      return gate.isClosed() || guard.isOut()
          ? BlockCache.MISS
          : peekRead.read(fileId, offset(), 0, dst, stripe);
    } finally {
      gate.end(stripe);
    }
  }

  /** Reads the length of the entry in the slot that the walk is at. */
  private final class LengthRead extends ValidatedRead<IndexWalk> {
    LengthRead(BlockTables tables) {
      super(tables);
    }

    @Override
    int take(int slot, long location, int length, int from, IndexWalk walk) {
      return slot == walk.nextSlot ? length : BlockCache.MISS;
    }

    @Override
    int accept(
        int taken, int slot, long location, int length, int from, IndexWalk walk, int stripe) {
      return taken;
    }

    @Override
    int missed(MissReason reason, int stripe) {
      contended = reason == MissReason.CONTENDED;
      return BlockCache.MISS;
    }
  }

  /**
   * Copies the block that the walk is at, and counts nothing: a block that can't be read, or is not
   * what was written, is left to the next lookup.
   */
  private final class PeekRead extends ValidatedRead<ByteBuffer> {
    PeekRead(BlockTables tables) {
      super(tables);
    }

    @Override
    int take(int slot, long location, int length, int from, ByteBuffer dst) {
      return length == lengthBytes()
          ? reads.copy(slot, location, length, from, dst)
          : BlockCache.MISS; // Another version of the block by now.
    }

    @Override
    int accept(
        int copied, int slot, long location, int length, int from, ByteBuffer dst, int stripe) {
      if (copied < 0) {
        return BlockCache.MISS;
      }
      dst.position(dst.position() + copied);
      return copied;
    }

    @Override
    int missed(MissReason reason, int stripe) {
      return BlockCache.MISS;
    }
  }
}
