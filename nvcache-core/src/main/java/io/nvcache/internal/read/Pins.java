// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.control.MissReason;
import io.nvcache.internal.gate.GlobalFence;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.space.Allocator;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.lang.invoke.VarHandle;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Finds blocks and pins their space, and keeps the medium for as long as pins read it.
 *
 * <p>A pin takes a reference of the slot where {@link Lookups} copies, before the same checks: a
 * writer that frees the slot afterwards finds it referenced. What belongs to the entry, the
 * checksum included, is read before these checks too: after them only the space is sure to stay the
 * block's. On a medium that can't be read in place a pin holds a copy, made as a lookup does, in a
 * buffer that is lent to it.
 */
public final class Pins {
  // What a read that retains takes.
  private static final int RETAINED = 0;
  private static final int UNRETAINED = 1;
  private static final int REFUSED = -1;

  // In place of the address of a block that is read in place.
  private static final long NOT_IN_PLACE = 0;
  private static final long PAST_BOUND = -1;
  private static final long FAILED = -2;

  /** In place of the location of a pin that holds a copy. */
  private static final long NO_LOCATION = -1;

  private final StripedCounters counters;
  private final BlockIndex index;
  private final Allocator allocator;
  private final MediumSpace space;
  private final Lookups lookups;
  private final PinningRead pinning;
  private final MovingRead moving;
  private final BlockReads reads;
  private final MediumFailureHandler mediumFailures;
  private final PinnedBytes pins;
  private final CopyBuffers copies;
  private final @Nullable PinLog pinLog;

  /** Null once no call can touch the medium any more, but for pins. */
  private volatile @Nullable MediumHandle medium;

  /** What to do where a pin on the medium's memory is refused. */
  public enum PastBound {
    REFUSE,
    COPY
  }

  public Pins(
      BlockTables tables,
      EngineSettings thresholds,
      StripedCounters counters,
      Lookups lookups,
      BlockReads reads,
      MediumFailureHandler mediumFailures,
      @Nullable PinLog pinLog,
      long copyBytes) {
    this.counters = counters;
    this.index = tables.index();
    this.allocator = tables.allocator();
    this.space = tables.space();
    this.lookups = lookups;
    this.pinning = new PinningRead(tables);
    this.moving = new MovingRead(tables);
    this.reads = reads;
    this.mediumFailures = mediumFailures;
    this.pinLog = pinLog;
    this.copies = new CopyBuffers(allocator.maxBlockBytes(), copyBytes, this::handle);
    this.pins = new PinnedBytes(counters, thresholds.maxPinnedBytes());
    thresholds.addListener(
        (setting, before, after) -> pins.maxPinnedBytes(thresholds.maxPinnedBytes()));
    this.medium = new MediumHandle(space.medium());
  }

  /** Returns a pin on a block; null if it missed, for a reason that is counted. */
  @Nullable PinnedBlock pin(long fileId, long offset, PastBound pastBound, int stripe) {
    Request request = new Request(fileId, offset, pastBound);
    pinning.read(fileId, offset, BlockReads.WHOLE, request, stripe);
    return request.pin;
  }

  /** Has a pin that is on no block take the one it names; returns its length or a miss. */
  int move(MovingPin pin, int stripe) {
    return moving.read(pin.fileId, pin.offset, BlockReads.WHOLE, pin, stripe);
  }

  @Nullable PinLog log() {
    return pinLog;
  }

  /** A block that is wanted under a pin, and its checksum once a read has found it. */
  abstract static class Wanted {
    long fileId;
    long offset;
    int sum;
  }

  /** A call that wants a pin. It stays in registers where the read is inlined. */
  private static final class Request extends Wanted {
    final PastBound pastBound;
    @Nullable PinnedBlock pin;

    Request(long fileId, long offset, PastBound pastBound) {
      this.fileId = fileId;
      this.offset = offset;
      this.pastBound = pastBound;
    }
  }

  /** Takes a reference of the block's space, and its checksum as long as the entry stands. */
  private abstract class RetainingRead<T extends Wanted> extends ValidatedRead<T> {
    RetainingRead(BlockTables tables) {
      super(tables);
    }

    @Override
    final int take(int slot, long location, int length, int from, T wanted) {
      if (!allocator.reusesSlots()) {
        return UNRETAINED;
      }
      if (!allocator.pin(location)) {
        return REFUSED;
      }
      wanted.sum = index.sum(slot);
      return RETAINED;
    }

    @Override
    final void giveBack(int taken, long location, int stripe) {
      if (taken == RETAINED) {
        allocator.unpin(location);
      }
    }

    @Override
    final int missed(MissReason reason, int stripe) {
      return lookups.missed(reason, stripe);
    }
  }

  /** Makes a pin of what was taken. */
  private final class PinningRead extends RetainingRead<Request> {
    PinningRead(BlockTables tables) {
      super(tables);
    }

    @Override
    int stood(
        int taken, int slot, long location, int length, int from, Request request, int stripe) {
      if (taken != REFUSED) {
        PinnedBlock pin =
            taken == RETAINED && space.address(location) != 0
                ? pinRetained(slot, request.sum, location, length, request.pastBound, stripe)
                : pinCopy(taken == RETAINED, location, length, request, stripe);
        request.pin =
            pin == null || pinLog == null ? pin : pinLog.list(pin, request.fileId, request.offset);
        return taken;
      }
      counters.add(stripe, Counter.REFUSED_PINS, 1); // As many pins as a slot can count.
      if (request.pastBound == PastBound.COPY) {
        request.pin = copyUnretained(request, length, stripe);
        return taken;
      }
      return missed(MissReason.PIN_REFUSED, stripe);
    }
  }

  /** Hands what was taken to a pin that moves, which has room of its own for a copy. */
  private final class MovingRead extends RetainingRead<MovingPin> {
    MovingRead(BlockTables tables) {
      super(tables);
    }

    @Override
    int stood(int taken, int slot, long location, int length, int from, MovingPin pin, int stripe) {
      if (taken == RETAINED) {
        return moveRetained(slot, location, length, pin, stripe);
      }
      if (taken == REFUSED) {
        counters.add(stripe, Counter.REFUSED_PINS, 1);
      }
      int copied;
      try {
        copied = lookups.copy(pin.fileId, pin.offset, BlockReads.WHOLE, pin.room(length), stripe);
      } catch (BufferOverflowException longerByNow) {
        return BlockCache.MISS; // Counted as a miss.
      }
      if (taken == UNRETAINED && copied >= 0) {
        count(pin, copied, stripe);
      }
      return copied;
    }
  }

  /** The caller holds a reference of the slot, which passes to the pin or is given back. */
  private @Nullable PinnedBlock pinRetained(
      int slot, int sum, long location, int length, PastBound pastBound, int stripe) {
    PinnedBlock pin = null;
    long address = FAILED;
    try {
      lookups.touch(slot);
      address = reserve(slot, sum, location, length, stripe);
      if (address > 0) {
        pin = new MemoryPin(this, handle(), location, address, length, stripe);
      } else if (address == NOT_IN_PLACE
          || (address == PAST_BOUND && pastBound == PastBound.COPY)) {
        ByteBuffer copy = ByteBuffer.allocate(length);
        return copyRetained(slot, sum, location, length, copy, stripe) ? new CopyPin(copy) : null;
      } else if (address == PAST_BOUND) {
        lookups.missed(MissReason.PIN_REFUSED, stripe);
      }
      return pin;
    } finally {
      if (pin == null) {
        giveBackRetained(address, location, length, stripe);
      }
    }
  }

  /**
   * Copies a block into a buffer that is the pin's until it ends.
   *
   * @param retained whether the caller holds a reference of the slot, which is given back: the copy
   *     needs none
   */
  private @Nullable PinnedBlock pinCopy(
      boolean retained, long location, int length, Request request, int stripe) {
    if (retained) {
      allocator.unpin(location);
    }
    if (!pins.reserve(stripe, length)) {
      counters.add(stripe, Counter.REFUSED_PINS, 1);
      if (request.pastBound == PastBound.COPY) {
        return copyUnretained(request, length, stripe);
      }
      lookups.missed(MissReason.PIN_REFUSED, stripe);
      return null;
    }
    PinnedBlock pin = null;
    try {
      pin = pinCopy(length, request, stripe);
    } finally {
      if (!(pin instanceof MemoryPin)) { // None, or the caller's own copy.
        pins.release(stripe, length);
      }
    }
    return pin;
  }

  private @Nullable PinnedBlock pinCopy(int length, Request request, int stripe) {
    BlockCopy copy = copies.take(length);
    if (copy == null) {
      counters.add(stripe, Counter.REFUSED_PINS, 1);
      if (request.pastBound == PastBound.COPY) {
        return copyUnretained(request, length, stripe);
      }
      lookups.missed(MissReason.PIN_REFUSED, stripe);
      return null;
    }
    PinnedBlock pin = null;
    try {
      int copied =
          lookups.copy(
              request.fileId, request.offset, BlockReads.WHOLE, copy.room().limit(length), stripe);
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

  private int moveRetained(int slot, long location, int length, MovingPin pin, int stripe) {
    boolean held = false;
    long address = FAILED;
    try {
      lookups.touch(slot);
      address = reserve(slot, pin.sum, location, length, stripe);
      if (address == FAILED) {
        return BlockCache.MISS;
      }
      if (address > 0) {
        pin.hold(handle(), location, address, length, stripe);
        held = true;
        return length;
      }
      ByteBuffer room = pin.room(length);
      boolean copied = copyRetained(slot, pin.sum, location, length, room, stripe);
      if (copied && address == NOT_IN_PLACE) {
        count(pin, length, stripe);
      }
      return copied ? length : BlockCache.MISS;
    } finally {
      if (!held) {
        giveBackRetained(address, location, length, stripe);
      }
    }
  }

  /** Counts the copy that a pin holds, if the bound allows it; the pin holds it all the same. */
  private void count(MovingPin pin, int length, int stripe) {
    if (pins.reserve(stripe, length)) {
      pin.count(handle(), length, stripe);
    }
  }

  /** Ends the counting of a copy. */
  void uncount(MediumHandle handle, int length, int stripe) {
    pins.release(stripe, length);
    GlobalFence.meet();
    if (medium == null) {
      releaseIfUnpinned(handle);
    }
  }

  /**
   * Reserves the bytes of a retained block for a pin that reads it in place.
   *
   * @return the block's address; or, of what is not above 0, why it has to be copied or is lost
   */
  private long reserve(int slot, int sum, long location, int length, int stripe) {
    long address = space.address(location);
    if (address == NOT_IN_PLACE) {
      return NOT_IN_PLACE;
    }
    int verified = reads.verifyRetained(sum, location, length);
    if (verified < 0) {
      mediumFailures.readFailed(verified, slot, location, length, stripe);
      return FAILED;
    }
    if (pins.reserve(stripe, length)) {
      return address;
    }
    counters.add(stripe, Counter.REFUSED_PINS, 1);
    return PAST_BOUND;
  }

  private void giveBackRetained(long reservedAddress, long location, int length, int stripe) {
    if (reservedAddress > 0) {
      pins.release(stripe, length); // First, since it can't fail for want of memory.
    }
    allocator.unpin(location);
  }

  private boolean copyRetained(
      int slot, int sum, long location, int length, ByteBuffer copy, int stripe) {
    int copied = reads.copyRetained(sum, location, length, copy);
    if (copied < 0) {
      mediumFailures.readFailed(copied, slot, location, length, stripe);
      return false;
    }
    return true;
  }

  /**
   * Copies a block to the heap, as a lookup does: it may be gone by then, which is a miss, or be
   * there again with another length. A longer one is a miss, too.
   */
  private @Nullable PinnedBlock copyUnretained(Wanted block, int length, int stripe) {
    ByteBuffer copy = ByteBuffer.allocate(length);
    try {
      int copied = lookups.copy(block.fileId, block.offset, BlockReads.WHOLE, copy, stripe);
      return copied < 0 ? null : new CopyPin(copy.flip().slice());
    } catch (BufferOverflowException longerByNow) {
      return null; // Counted as a miss.
    }
  }

  /** Returns the bytes of the copies that pins have, or will have. */
  public long copyBytes() {
    return copies.bytes();
  }

  private MediumHandle handle() {
    MediumHandle handle = medium;
    if (handle == null) {
      throw new IllegalStateException("the medium was given back while a lookup ran");
    }
    return handle;
  }

  /** Returns whether the calling thread is the one that pins on this stripe. */
  boolean owns(int stripe) {
    return counters.owns(stripe);
  }

  /** Ends a pin. Touches no memory of the medium, so it needs no gate. */
  void unpin(PinnedMemory memory, long location, int length, int stripe) {
    try {
      if (!(memory instanceof BlockCopy copy)) {
        allocator.unpin(location);
      } else {
        copies.giveBack(copy);
      }
    } finally { // Either may find no memory; the medium is to be freed all the same.
      uncount(memory.medium(), length, stripe);
    }
  }

  /** Gives the medium to the pins that are left, or back. No call is inside any more. */
  public void close() {
    // Not before here may a pin that ends free the medium: a call that began before the gate was
    // shut might still be reading it. The pin counts itself out and then looks at the field; this
    // clears the field and then looks at the count. The fence makes one
    // of them see the other.
    MediumHandle handle = handle();
    medium = null; // Pins and views hold it from now on.
    GlobalFence.pass();
    copies.close();
    long pinned = pins.pinnedBytes();
    if (pinned == 0) {
      handle.release();
    } else {
      handle.reportPinned(pinned);
    }
  }

  private void releaseIfUnpinned(MediumHandle handle) {
    VarHandle.fullFence(); // Of the last two to count themselves out, one at least sees both.
    if (pins.pinnedBytes() == 0) {
      handle.release();
    }
  }
}
