// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.control.MissReason;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.medium.Medium;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Pins blocks as copies, which are made as lookups make them, in buffers that are lent to the pins.
 * A block may be gone when it is copied, which is a miss, or be there again with another length.
 */
public final class CopiedPins extends PinReads implements PinOwner {
  /** The location of a pin that holds a copy, which is not looked at. */
  private static final long NO_LOCATION = 0;

  private final StripedCounters counters;
  private final Lookups lookups;
  private final PinnedMedium medium;
  private final CopyBuffers copies;
  private final LengthRead<Request> pinning;
  private final LengthRead<MovingPin> moving;

  /**
   * Pins blocks of a cache.
   *
   * @param copyBytes that all copies together may take
   */
  public CopiedPins(
      BlockTables tables,
      StripedCounters counters,
      Lookups lookups,
      PinnedMedium medium,
      long copyBytes) {
    this.counters = counters;
    this.lookups = lookups;
    this.medium = medium;
    this.copies =
        new CopyBuffers(
            tables.locations().maxBlockBytes(),
            alignmentBytes(tables.space().medium()),
            copyBytes,
            medium::handle);
    this.pinning = new PinningRead(tables);
    this.moving = new MovingRead(tables);
  }

  /** A medium that is written in regions can read into a copy that begins with a granule. */
  private static int alignmentBytes(Medium medium) {
    return medium.regionBytes() > 0 ? medium.alignmentBytes() : Long.BYTES;
  }

  /** Takes nothing but the block's length. */
  private abstract class LengthRead<T extends Wanted> extends ValidatedRead<T> {
    LengthRead(BlockTables tables) {
      super(tables);
    }

    @Override
    final int take(int slot, long location, int length, int from, T wanted) {
      return length;
    }

    @Override
    final int missed(MissReason reason, int stripe) {
      return lookups.missed(reason, stripe);
    }
  }

  private final class PinningRead extends LengthRead<Request> {
    PinningRead(BlockTables tables) {
      super(tables);
    }

    @Override
    int accept(
        int taken, int slot, long location, int length, int from, Request request, int stripe) {
      request.pin = copy(request, length, stripe);
      return taken;
    }
  }

  private final class MovingRead extends LengthRead<MovingPin> {
    MovingRead(BlockTables tables) {
      super(tables);
    }

    @Override
    int accept(
        int taken, int slot, long location, int length, int from, MovingPin pin, int stripe) {
      int copied = copyTo(pin, length, stripe);
      if (copied >= 0) {
        count(pin, copied, stripe);
      }
      return copied;
    }
  }

  @Override
  @Nullable PinnedBlock pin(Request request, int stripe) {
    pinning.read(request.fileId, request.offset, BlockReads.WHOLE, request, stripe);
    return request.pin;
  }

  @Override
  int move(MovingPin pin, int stripe) {
    return moving.read(pin.fileId, pin.offset, BlockReads.WHOLE, pin, stripe);
  }

  /** Copies a block into a buffer that is the pin's until it ends. */
  @Nullable PinnedBlock copy(Request request, int length, int stripe) {
    if (!medium.reserve(stripe, length)) {
      return pastBound(request, length, stripe);
    }
    PinnedBlock pin = null;
    try {
      pin = copyReserved(request, length, stripe);
    } finally {
      if (!(pin instanceof MemoryPin)) { // None, or the caller's own copy.
        medium.unreserve(stripe, length);
      }
    }
    return pin;
  }

  private @Nullable PinnedBlock copyReserved(Request request, int length, int stripe) {
    BlockCopy copy = copies.take(length);
    if (copy == null) {
      return pastBound(request, length, stripe);
    }
    PinnedBlock pin = null;
    try {
      ByteBuffer room = copy.room().limit(length);
      int copied = lookups.copy(request.fileId, request.offset, BlockReads.WHOLE, room, stripe);
      if (copied == length) { // Else it is gone, or another one with its name by now.
        pin = new MemoryPin(this, copy, NO_LOCATION, copy.address(), length, stripe);
      } else if (copied >= 0) {
        lookups.missed(MissReason.CONTENDED, stripe);
      }
    } catch (BufferOverflowException longerByNow) {
      return null; // Counted as a miss.
    } finally {
      if (pin == null) {
        copies.giveBack(copy);
      }
    }
    return pin;
  }

  /** Counts a pin that is refused, and returns what its caller wants instead. */
  @Nullable PinnedBlock pastBound(Request request, int length, int stripe) {
    counters.add(stripe, Counter.REFUSED_PINS, 1);
    if (request.pastBound == PastBound.COPY) {
      return copyToHeap(request, length, stripe);
    }
    lookups.missed(MissReason.PIN_REFUSED, stripe);
    return null;
  }

  private @Nullable PinnedBlock copyToHeap(Wanted block, int length, int stripe) {
    ByteBuffer copy = ByteBuffer.allocate(length);
    try {
      int copied = lookups.copy(block.fileId, block.offset, BlockReads.WHOLE, copy, stripe);
      return copied < 0 ? null : new CopyPin(copy.flip().slice());
    } catch (BufferOverflowException longerByNow) {
      return null; // Counted as a miss.
    }
  }

  /** Copies a block to the room of a pin that moves; returns its length or a miss. */
  int copyTo(MovingPin pin, int length, int stripe) {
    try {
      return lookups.copy(pin.fileId, pin.offset, BlockReads.WHOLE, pin.room(length), stripe);
    } catch (BufferOverflowException longerByNow) {
      return BlockCache.MISS; // Counted as a miss.
    }
  }

  /** Counts the copy that a pin holds, if the bound allows it; the pin holds it all the same. */
  void count(MovingPin pin, int length, int stripe) {
    if (medium.reserve(stripe, length)) {
      pin.count(medium.handle(), length, stripe);
    }
  }

  /** Returns the bytes of the copies that pins have, or will have. */
  long copyBytes() {
    return copies.bytes();
  }

  @Override
  public boolean owns(int stripe) {
    return medium.owns(stripe);
  }

  @Override
  public void unpin(PinnedMemory memory, long location, int length, int stripe) {
    try {
      copies.giveBack((BlockCopy) memory);
    } finally { // It may find no memory; the medium is to be freed all the same.
      medium.uncount(memory.medium(), length, stripe);
    }
  }

  /** Frees the copies, those that are lent when they are given back. */
  void close() {
    copies.close();
  }
}
