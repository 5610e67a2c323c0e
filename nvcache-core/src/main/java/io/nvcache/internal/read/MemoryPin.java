// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.PinnedBlock;
import io.nvcache.internal.gate.CallerBuffers;
import io.nvcache.memory.RawMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A pin on a block that lies in memory. Holds one reference of the block's slot, or a copy.
 *
 * <p><b>Invariants.</b> The state counts the calls by which other threads read the block just now,
 * and its sign bit says that the pin is closed. No thread counts itself in once that bit is set, so
 * the count then only falls, and exactly one call, the closing one or a reading one, finds that it
 * was the last: it gives the reference back. So the memory outlives every read, even by a thread
 * that uses the pin while another one closes it.
 *
 * <p>The thread that pinned the block reads it without counting itself: it looks at the state again
 * afterwards, and throws what it read away if another thread closed the pin since. The memory stays
 * allocated under it: a copy's as long as this holds it, the medium's since such a closing thread
 * notifies the {@link PinnedMemory}.
 */
public final class MemoryPin implements PinnedBlock {
  private static final VarHandle STATE;
  private static final int CLOSED = Integer.MIN_VALUE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(MemoryPin.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final PinOwner owner;
  private final PinnedMemory memory;
  private final long location;
  private final long address;
  private final int length;
  private final int stripe;

  private volatile int state;

  public MemoryPin(
      PinOwner owner, PinnedMemory memory, long location, long address, int length, int stripe) {
    this.owner = owner;
    this.memory = memory;
    this.location = location;
    this.address = address;
    this.length = length;
    this.stripe = stripe;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public ByteBuffer buffer() {
    memory.allowUnseenReads(); // Before the check: who closes after it finds this done.
    checkOpen();
    return RawMemory.view(address, length, memory);
  }

  @Override
  public void copyTo(ByteBuffer dst) {
    CallerBuffers.checkRoom(dst, length);
    if (RawMemory.mayVanish(dst)) {
      ByteBuffer copy = ByteBuffer.allocate(length);
      copyTo(copy);
      CallerBuffers.put(dst, copy.flip());
      return;
    }
    int position = dst.position();
    boolean counted = beginRead();
    try {
      if (memory.isFileBacked()) {
        RawMemory.copyOutOfMapping(address, dst, position, length);
      } else {
        RawMemory.copyBlockOut(address, dst, position, length);
      }
    } finally {
      endRead(counted);
    }
    dst.position(position + length);
  }

  @Override
  public long getLong(int index) {
    Objects.checkFromIndexSize(index, Long.BYTES, length);
    boolean counted = beginRead();
    try {
      return memory.isFileBacked()
          ? RawMemory.getLongOfMapping(address + index)
          : RawMemory.getLongBigEndian(address + index);
    } finally {
      endRead(counted);
    }
  }

  /** Returns whether the read was counted, and must be counted out. */
  private boolean beginRead() {
    if (owner.owns(stripe)) {
      checkOpen();
      return false;
    }
    while (true) {
      int seen = state;
      if (isClosed(seen)) { // The last reader may have given the space back already.
        throw CallerBuffers.closed();
      }
      if (STATE.compareAndSet(this, seen, seen + 1)) {
        return true;
      }
    }
  }

  private void endRead(boolean counted) {
    if (!counted) {
      RawMemory.loadFence();
      checkOpen();
    } else if ((int) STATE.getAndAdd(this, -1) == CLOSED + 1) {
      unpin();
    }
  }

  private void checkOpen() {
    if (isClosed(state)) {
      throw CallerBuffers.closed();
    }
  }

  private static boolean isClosed(int state) {
    return state < 0;
  }

  @Override
  public void close() {
    if (!owner.owns(stripe)) {
      memory.allowUnseenReads();
    }
    if ((int) STATE.getAndBitwiseOr(this, CLOSED) == 0) {
      unpin();
    }
  }

  private void unpin() {
    owner.unpin(memory, location, length, stripe);
  }
}
