// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.ReusablePin;
import io.nvcache.internal.gate.CallerBuffers;
import io.nvcache.internal.gate.CallerKeys;
import io.nvcache.memory.BufferRefusals;
import io.nvcache.memory.RawMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pin that moves from block to block. Holds one reference of the slot of the block it is on, or a
 * a copy of the block in its own memory, or nothing.
 *
 * <p><b>Invariants.</b> All fields but {@code busy} belong to the call that set it, and a call that
 * finds it set throws. So a reference is taken, used and given back within calls that exclude each
 * other: no call reads a block that another one gives back, however the threads mix, and no
 * reference is given back twice. The medium's memory outlives each read, since the reference counts
 * among the {@linkplain PinnedBytes bytes under pin} until the call that gives it back: no thread
 * reads the memory unseen.
 */
final class MovingPin extends PinReads.Wanted implements ReusablePin {
  private static final VarHandle BUSY;
  private static final ByteBuffer NO_ROOM = ByteBuffer.allocate(0);

  static {
    try {
      BUSY = MethodHandles.lookup().findVarHandle(MovingPin.class, "busy", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Reader reader;
  private final Pins pins;
  private final @Nullable PinLog pinLog;

  @SuppressWarnings("UnusedVariable") // By the handle.
  private volatile boolean busy;

  /** The block's length; {@link BlockCache#MISS} while it is on none. */
  private int length = BlockCache.MISS;

  /** Set while it holds a reference; its block is in {@link #room} otherwise. */
  private @Nullable MediumHandle medium;

  /** Set while its copy counts among the bytes under pin. */
  private @Nullable MediumHandle counted;

  private @Nullable PinOwner owner;
  private long location;
  private long address;
  private int stripe;
  private ByteBuffer room = NO_ROOM;
  private @Nullable Long listed;

  MovingPin(Reader reader, Pins pins, @Nullable PinLog pinLog) {
    this.reader = reader;
    this.pins = pins;
    this.pinLog = pinLog;
  }

  private void enter() {
    if (!BUSY.compareAndSet(this, false, true)) {
      throw new IllegalStateException("another call uses this pin; give each thread its own");
    }
  }

  private void leave() {
    BUSY.setRelease(this, false);
  }

  @Override
  public int moveTo(long nextFileId, long nextOffset) {
    CallerKeys.checkOffset(nextOffset);
    enter();
    boolean complete = false;
    try {
      clear();
      fileId = nextFileId;
      offset = nextOffset;
      int found = reader.move(this);
      length = found;
      if (found != BlockCache.MISS && pinLog != null) {
        listed = pinLog.list(nextFileId, nextOffset, found);
      }
      complete = true;
      return found;
    } finally {
      if (!complete) {
        clear();
      }
      leave();
    }
  }

  /** Takes over a reference of the block's space. */
  void hold(PinOwner by, MediumHandle of, long at, long memory, int lengthBytes, int reservedOn) {
    owner = by;
    length = lengthBytes;
    location = at;
    address = memory;
    stripe = reservedOn;
    medium = of;
  }

  /** Notes that its copy counts among the bytes under pin. */
  void count(MediumHandle of, int lengthBytes, int countedOn) {
    length = lengthBytes;
    stripe = countedOn;
    counted = of;
  }

  /** Returns memory for a copy of a block, position 0. */
  ByteBuffer room(int bytes) {
    if (room.capacity() < bytes) {
      room = ByteBuffer.allocate(bytes);
    }
    return room.clear();
  }

  @Override
  public int copyRange(int from, ByteBuffer dst) {
    Objects.requireNonNull(dst, "dst");
    enter();
    try {
      if (length == BlockCache.MISS) {
        throw new IllegalStateException("this pin is on no block; move it to one first");
      }
      Objects.checkFromToIndex(from, length, length);
      if (dst.isReadOnly()) {
        throw BufferRefusals.readOnly();
      }
      return copy(from, dst);
    } finally {
      leave();
    }
  }

  private int copy(int from, ByteBuffer dst) {
    // Taken once: a position that another thread moves must not lead the copy elsewhere.
    int position = dst.position();
    int bytes = Math.max(0, Math.min(dst.limit() - position, length - from));
    if (RawMemory.mayVanish(dst)) {
      ByteBuffer copy = ByteBuffer.allocate(bytes);
      copyOut(from, copy, 0, bytes);
      CallerBuffers.put(dst, copy);
      return bytes;
    }
    copyOut(from, dst, position, bytes);
    dst.position(position + bytes);
    return bytes;
  }

  private void copyOut(int from, ByteBuffer dst, int position, int bytes) {
    MediumHandle of = medium;
    if (of == null) {
      dst.put(position, room, from, bytes);
    } else if (of.isFileBacked()) {
      RawMemory.copyOutOfMapping(address + from, dst, position, bytes);
    } else {
      RawMemory.copyOut(address + from, dst, position, bytes);
    }
  }

  @Override
  public void unpin() {
    enter();
    try {
      clear();
    } finally {
      leave();
    }
  }

  private void clear() {
    int held = length;
    MediumHandle of = medium;
    MediumHandle copyOf = counted;
    length = BlockCache.MISS;
    medium = null;
    counted = null;
    if (listed != null && pinLog != null) {
      pinLog.remove(listed);
      listed = null;
    }
    if (of != null && owner != null) {
      owner.unpin(of, location, held, stripe);
    } else if (copyOf != null) {
      pins.uncount(copyOf, held, stripe);
    }
  }
}
