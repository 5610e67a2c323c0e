// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.control.MissReason;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.remove.MediumFailureHandler;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.PinnableSpace;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Pins blocks in slots where they lie, if they lie in memory, or else as {@linkplain CopiedPins
 * copies}.
 *
 * <p>A pin takes a reference of the slot where {@link Lookups} copies, before the same checks: a
 * writer that frees the slot afterwards finds it referenced. What belongs to the entry, the
 * checksum included, is read before these checks as well: after them only the space is sure to stay
 * the block's.
 */
public final class RetainedPins extends PinReads implements PinOwner {
  // What a read that retains takes.
  private static final int REFUSED = 0;
  private static final int RETAINED = 1;

  private final StripedCounters counters;
  private final BlockIndex index;
  private final PinnableSpace space;
  private final Lookups lookups;
  private final PinnedMedium medium;
  private final MediumFailureHandler mediumFailures;
  private final CopiedPins copied;
  private final PinningRead pinning;
  private final MovingRead moving;

  public RetainedPins(
      BlockTables tables,
      PinnableSpace space,
      StripedCounters counters,
      Lookups lookups,
      PinnedMedium medium,
      MediumFailureHandler mediumFailures,
      CopiedPins copied) {
    this.counters = counters;
    this.index = tables.index();
    this.space = space;
    this.lookups = lookups;
    this.medium = medium;
    this.mediumFailures = mediumFailures;
    this.copied = copied;
    this.pinning = new PinningRead(tables);
    this.moving = new MovingRead(tables);
  }

  /** Takes a reference of the block's space, and its checksum as long as the entry is unchanged. */
  private abstract class RetainingRead<T extends Wanted> extends ValidatedRead<T> {
    RetainingRead(BlockTables tables) {
      super(tables);
    }

    @Override
    final int take(int slot, long location, int length, int from, T wanted) {
      if (!space.pin(location)) {
        return REFUSED; // As many pins as a slot can count.
      }
      wanted.sum = index.sum(slot);
      return RETAINED;
    }

    @Override
    final void undo(int taken, long location, int stripe) {
      if (taken == RETAINED) {
        space.unpin(location);
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
    int accept(
        int taken, int slot, long location, int length, int from, Request request, int stripe) {
      if (taken == REFUSED) {
        request.pin = copied.pastBound(request, length, stripe);
      } else if (space.address(location) != PinnableSpace.NO_ADDRESS) {
        request.pin = pinRetained(request, slot, location, length, stripe);
      } else {
        space.unpin(location); // A copy needs no reference.
        request.pin = copied.copy(request, length, stripe);
      }
      return taken;
    }
  }

  /** Hands what was taken to a pin that moves, which has its own room for a copy. */
  private final class MovingRead extends RetainingRead<MovingPin> {
    MovingRead(BlockTables tables) {
      super(tables);
    }

    @Override
    int accept(
        int taken, int slot, long location, int length, int from, MovingPin pin, int stripe) {
      if (taken == REFUSED) {
        counters.add(stripe, Counter.REFUSED_PINS, 1);
        return copied.copyTo(pin, length, stripe);
      }
      return moveRetained(pin, slot, location, length, stripe);
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

  /** What became of the bytes of a retained block for a pin that reads it in place. */
  private enum Reservation {
    /** They are reserved. */
    IN_PLACE,
    /** The block lies in no memory by now. */
    NOT_IN_PLACE,
    PAST_BOUND,
    /** The block can't be read, which is counted. */
    FAILED
  }

  /** The caller holds a reference of the slot, which passes to the pin or is given back. */
  private @Nullable PinnedBlock pinRetained(
      Request request, int slot, long location, int length, int stripe) {
    PinnedBlock pin = null;
    Reservation reservation = Reservation.FAILED;
    try {
      lookups.touch(slot);
      long address = space.address(location);
      reservation = reserve(address, slot, request.sum, location, length, stripe);
      if (reservation == Reservation.IN_PLACE) {
        pin = new MemoryPin(this, medium.handle(), location, address, length, stripe);
      } else if (reservation == Reservation.NOT_IN_PLACE
          || (reservation == Reservation.PAST_BOUND && request.pastBound == PastBound.COPY)) {
        ByteBuffer copy = ByteBuffer.allocate(length);
        return copy(slot, request.sum, location, length, copy, stripe) ? new CopyPin(copy) : null;
      } else if (reservation == Reservation.PAST_BOUND) {
        lookups.missed(MissReason.PIN_REFUSED, stripe);
      }
      return pin;
    } finally {
      if (pin == null) {
        giveBack(reservation, location, length, stripe);
      }
    }
  }

  private int moveRetained(MovingPin pin, int slot, long location, int length, int stripe) {
    boolean held = false;
    Reservation reservation = Reservation.FAILED;
    try {
      lookups.touch(slot);
      long address = space.address(location);
      reservation = reserve(address, slot, pin.sum, location, length, stripe);
      if (reservation == Reservation.FAILED) {
        return BlockCache.MISS;
      }
      if (reservation == Reservation.IN_PLACE) {
        pin.hold(this, medium.handle(), location, address, length, stripe);
        held = true;
        return length;
      }
      boolean there = copy(slot, pin.sum, location, length, pin.room(length), stripe);
      if (there && reservation == Reservation.NOT_IN_PLACE) {
        copied.count(pin, length, stripe);
      }
      return there ? length : BlockCache.MISS;
    } finally {
      if (!held) {
        giveBack(reservation, location, length, stripe);
      }
    }
  }

  private Reservation reserve(
      long address, int slot, int sum, long location, int length, int stripe) {
    if (address == PinnableSpace.NO_ADDRESS) {
      return Reservation.NOT_IN_PLACE;
    }
    int verified = space.verify(sum, location, length);
    if (verified < 0) {
      mediumFailures.readFailed(verified, slot, location, length, stripe);
      return Reservation.FAILED;
    }
    if (medium.reserve(stripe, length)) {
      return Reservation.IN_PLACE;
    }
    counters.add(stripe, Counter.REFUSED_PINS, 1);
    return Reservation.PAST_BOUND;
  }

  private void giveBack(Reservation reservation, long location, int length, int stripe) {
    if (reservation == Reservation.IN_PLACE) {
      medium.unreserve(stripe, length); // First, since it can't fail for want of memory.
    }
    space.unpin(location);
  }

  private boolean copy(int slot, int sum, long location, int length, ByteBuffer copy, int stripe) {
    int read = space.copyPinned(sum, location, length, copy);
    if (read < 0) {
      mediumFailures.readFailed(read, slot, location, length, stripe);
      return false;
    }
    return true;
  }

  @Override
  public boolean owns(int stripe) {
    return medium.owns(stripe);
  }

  @Override
  public void unpin(PinnedMemory memory, long location, int length, int stripe) {
    try {
      space.unpin(location);
    } finally { // It may find no memory; the medium is to be freed all the same.
      medium.uncount(memory.medium(), length, stripe);
    }
  }
}
