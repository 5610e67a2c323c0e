// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.control.MissReason;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallerBuffers;
import io.nvcache.internal.gate.CallerKeys;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;

/**
 * Reads blocks for callers that only want to know what is cached: no policy hears of it, and
 * nothing is counted. A block that can't be read, or is not what was written, is left to the next
 * lookup.
 */
public final class Peeks extends ValidatedRead<ByteBuffer> {
  private final BlockReads reads;
  private final MediumGuard guard;
  private final CallGate gate;

  public Peeks(BlockTables tables, BlockReads reads, MediumGuard guard, CallGate gate) {
    super(tables);
    this.reads = reads;
    this.guard = guard;
    this.gate = gate;
  }

  /** Does what {@link io.nvcache.control.CacheControl#peek} says. */
  public int peek(long fileId, long offset, ByteBuffer dst) {
    CallerKeys.checkOffset(offset);
    CallerBuffers.checkRoom(dst, 0);
    if (!RawMemory.mayVanish(dst)) {
      return peekInto(fileId, offset, dst);
    }
    ByteBuffer copy = ByteBuffer.allocate(Math.min(reads.maxBlockBytes(), dst.remaining()));
    int length = peekInto(fileId, offset, copy);
    CallerBuffers.put(dst, copy.flip());
    return length;
  }

  private int peekInto(long fileId, long offset, ByteBuffer dst) {
    int stripe = gate.begin();
    if (stripe == CallGate.SHUT) {
      return BlockCache.MISS;
    }
    try {
      return gate.isClosed() || guard.isOut()
          ? BlockCache.MISS
          : read(fileId, offset, 0, dst, stripe);
    } finally {
      gate.end(stripe);
    }
  }

  @Override
  int take(int slot, long location, int length, int from, ByteBuffer dst) {
    if (!dst.hasRemaining()) { // Only the length is wanted, which the index has.
      return 0;
    }
    return reads.copy(slot, location, length, from, dst);
  }

  @Override
  int accept(
      int copied, int slot, long location, int length, int from, ByteBuffer dst, int stripe) {
    if (copied < 0) {
      return BlockCache.MISS;
    }
    dst.position(dst.position() + copied);
    return length;
  }

  @Override
  int missed(MissReason reason, int stripe) {
    return BlockCache.MISS;
  }
}
