// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.BlockCursor;
import io.nvcache.FileView;
import io.nvcache.PinnedBlock;
import io.nvcache.ReusablePin;
import io.nvcache.control.MissReason;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallerBuffers;
import io.nvcache.internal.gate.CallerKeys;
import io.nvcache.internal.gate.CallersHold;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.space.ReadsAhead;
import io.nvcache.internal.space.ScratchBuffers;
import io.nvcache.memory.AlignedBuffer;
import io.nvcache.memory.BufferRefusals;
import io.nvcache.memory.RawMemory;
import io.nvcache.shadow.KeySample;
import io.nvcache.stats.Counter;
import io.nvcache.stats.LoadTimes;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes lookups in through the {@link CallGate}, has {@link Lookups} and {@link Pins} carry them
 * out, and counts each once, as a hit or as a miss. No lock is taken.
 */
public final class Reader {
  private final CallGate gate;
  private final MediumGuard guard;
  private final StripedCounters counters;
  private final Visits visits;
  private final Lookups lookups;
  private final BatchLookups batchLookups;
  private final Pins pins;
  private final KeySample sample;
  private final LoadTimes times;
  private final ScratchBuffers scratch;

  @SuppressWarnings("UnusedVariable") // Callers' pins reference this, as the cache does.
  private final CallersHold hold;

  public Reader(
      CallGate gate,
      MediumGuard guard,
      StripedCounters counters,
      Lookups lookups,
      Pins pins,
      Samples samples,
      ScratchBuffers scratch,
      CallersHold hold) {
    this.gate = gate;
    this.guard = guard;
    this.counters = counters;
    this.lookups = lookups;
    this.batchLookups = lookups.ofBatches();
    this.pins = pins;
    this.sample = samples.keys();
    this.times = samples.times();
    this.visits = samples.visits();
    this.scratch = scratch;
    this.hold = hold;
  }

  /**
   * Copies a block or a part of it, and moves the buffer's position by as much.
   *
   * @param from the block's byte to begin with, or {@link BlockReads#WHOLE}
   * @return how many bytes, or {@link BlockCache#MISS}
   */
  public int get(long fileId, long offset, int from, ByteBuffer dst) {
    return get(fileId, offset, from, dst, null);
  }

  /** Copies a block of a batch in the same way, from where it was read ahead if it was. */
  int get(long fileId, long offset, ByteBuffer dst, @Nullable ReadsAhead ahead) {
    CallerKeys.checkOffset(offset);
    return get(fileId, offset, BlockReads.WHOLE, Objects.requireNonNull(dst, "dst"), ahead);
  }

  private int get(long fileId, long offset, int from, ByteBuffer dst, @Nullable ReadsAhead ahead) {
    if (dst.isReadOnly()) {
      throw BufferRefusals.readOnly();
    }
    return RawMemory.mayVanish(dst)
        ? getByCopy(fileId, offset, from, dst, ahead)
        : getInto(fileId, offset, from, dst, ahead);
  }

  private int getByCopy(
      long fileId, long offset, int from, ByteBuffer dst, @Nullable ReadsAhead ahead) {
    CallerBuffers.checkAlive(dst);
    AlignedBuffer lent = scratch.take(dst.remaining());
    if (lent == null) {
      return missForMemory();
    }
    try {
      ByteBuffer copy = lent.first(Math.min(lent.capacityBytes(), dst.remaining()));
      int copied = getInto(fileId, offset, from, copy, ahead);
      CallerBuffers.put(dst, copy.flip());
      return copied;
    } finally {
      scratch.giveBack(lent);
    }
  }

  /** Misses for want of a buffer to copy to. */
  private int missForMemory() {
    int stripe = gate.beginLookup();
    if (stripe != CallGate.SHUT) {
      lookups.missed(MissReason.NO_DIRECT_MEMORY, stripe);
      count(BlockCache.MISS, stripe);
    }
    return BlockCache.MISS;
  }

  private int getInto(
      long fileId, long offset, int from, ByteBuffer dst, @Nullable ReadsAhead ahead) {
    // A block of a batch may have been read ahead, while others were.
    long begun = ahead == null ? times.begin(fileId, offset) : LoadTimes.NOT_TIMED;
    int stripe = gate.beginLookup();
    if (stripe == CallGate.SHUT) {
      return BlockCache.MISS;
    }
    int copied = BlockCache.MISS;
    boolean counts = true;
    try {
      counts =
          from == BlockReads.WHOLE || visits.begins(fileId, offset, from, dst.remaining(), stripe);
      if (isInService(stripe)) {
        copied =
            ahead == null
                ? lookups.copy(fileId, offset, from, dst, stripe)
                : batchLookups.copy(fileId, offset, dst, ahead, stripe);
      }
    } finally {
      count(copied, stripe);
    }
    if (begun != LoadTimes.NOT_TIMED) {
      time(begun, copied, fileId, offset, stripe);
    }
    if (counts && sample.has(fileId, offset)) {
      sampleLookup(fileId, offset, copied, from, stripe);
    }
    return copied;
  }

  private void time(long begun, int length, long fileId, long offset, int stripe) {
    if (length == BlockCache.MISS) {
      times.missed(fileId, offset);
    } else {
      times.hit(begun, stripe);
    }
  }

  private void sampleLookup(long fileId, long offset, int length, int from, int stripe) {
    if (length == BlockCache.MISS) {
      sample.miss(fileId, offset, stripe);
    } else {
      sample.hit(fileId, offset, from == BlockReads.WHOLE ? length : 0, stripe);
    }
  }

  /** If it is not, counts the miss that follows. */
  private boolean isInService(int stripe) {
    if (guard.isOut()) {
      lookups.missed(MissReason.OUT_OF_SERVICE, stripe);
      return false;
    }
    return true;
  }

  /** Pins a block; null if it missed; the reason is counted. */
  public @Nullable PinnedBlock pin(long fileId, long offset, PinReads.PastBound pastBound) {
    long begun = times.begin(fileId, offset);
    int stripe = gate.beginLookup();
    if (stripe == CallGate.SHUT) {
      return null;
    }
    PinnedBlock pinned = null;
    int length = BlockCache.MISS;
    try {
      if (isInService(stripe)) {
        pinned = pins.pin(fileId, offset, pastBound, stripe);
        length = pinned == null ? BlockCache.MISS : pinned.length();
      }
    } finally {
      count(length, stripe);
    }
    if (begun != LoadTimes.NOT_TIMED) {
      time(begun, length, fileId, offset, stripe);
    }
    if (sample.has(fileId, offset)) {
      sampleLookup(fileId, offset, length, BlockReads.WHOLE, stripe);
    }
    return pinned;
  }

  /** Returns a pin that moves from block to block. */
  public ReusablePin reusablePin() {
    return new MovingPin(this, pins, pins.log());
  }

  /** Has a pin that is on no block take the one it names; returns its length or a miss. */
  int move(MovingPin pin) {
    long begun = times.begin(pin.fileId, pin.offset);
    int stripe = gate.beginLookup();
    if (stripe == CallGate.SHUT) {
      return BlockCache.MISS;
    }
    int length = BlockCache.MISS;
    try {
      if (isInService(stripe)) {
        length = pins.move(pin, stripe);
      }
    } finally {
      count(length, stripe);
    }
    if (begun != LoadTimes.NOT_TIMED) {
      time(begun, length, pin.fileId, pin.offset, stripe);
    }
    if (sample.has(pin.fileId, pin.offset)) {
      sampleLookup(pin.fileId, pin.offset, length, BlockReads.WHOLE, stripe);
    }
    return length;
  }

  /** Returns a view of a file; null if blocks can't be read in place, or the cache is closed. */
  public @Nullable FileView view(long fileId, int blockBytes, long lengthBytes) {
    InPlaceReads inPlace = pins.inPlace();
    if (inPlace == null) {
      return null;
    }
    int stripe = gate.beginWithoutLocks();
    try {
      return stripe == CallGate.SHUT || gate.isClosed()
          ? null
          : inPlace.view(this, fileId, blockBytes, lengthBytes);
    } finally {
      gate.end(stripe);
    }
  }

  /**
   * Has a cursor find its block again, which does not count as a lookup; false if it is at none
   * afterwards.
   */
  boolean findAgain(InPlaceReads inPlace, InPlaceCursor cursor) {
    int stripe = gate.beginWithoutLocks();
    try {
      return stripe != CallGate.SHUT
          && !gate.isClosed()
          && !guard.isOut()
          && inPlace.findAgain(cursor, stripe);
    } finally {
      gate.end(stripe);
    }
  }

  /** Has a cursor that is at no block move to the one it names; returns its length, or why not. */
  int move(InPlaceReads inPlace, InPlaceCursor cursor) {
    int stripe = gate.beginLookup();
    if (stripe == CallGate.SHUT) {
      return BlockCache.MISS;
    }
    int found = BlockCache.MISS;
    int length = BlockCache.MISS;
    try {
      if (isInService(stripe)) {
        found = inPlace.move(cursor, stripe);
        length = found == BlockCursor.NOT_IN_PLACE ? 0 : found; // A hit of which nothing is read.
      }
    } finally {
      count(length, stripe);
    }
    if (sample.has(cursor.view.fileId, cursor.offset)) {
      sampleLookup(cursor.view.fileId, cursor.offset, length, BlockReads.WHOLE, stripe);
    }
    return found;
  }

  /** Counts a lookup, which ends by that. */
  private void count(int length, int stripe) {
    if (length == BlockCache.MISS) {
      counters.addRelease(stripe, Counter.MISSES, 1);
    } else {
      counters.add(stripe, Counter.HIT_BYTES, length);
      counters.addRelease(stripe, Counter.HITS, 1);
    }
  }
}
