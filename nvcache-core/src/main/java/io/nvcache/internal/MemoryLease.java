// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.PinnedBlock;
import io.nvcache.memory.RawMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A lease on a block that lies in memory. Holds one reference of the block's slot.
 *
 * <p>The state counts the calls that read the block just now, and its sign bit says that the lease
 * is closed; whoever comes last, the closing call or a reading one, gives the reference back. So
 * the memory outlives every read, even by a thread that uses the lease while another one closes it.
 */
final class MemoryLease implements PinnedBlock {
  private static final VarHandle STATE;
  private static final int CLOSED = Integer.MIN_VALUE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(MemoryLease.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Engine engine;
  private final MediumHandle medium;
  private final long location;
  private final long address;
  private final int length;
  private final int stripe;

  @SuppressWarnings("UnusedVariable") // Through STATE.
  private volatile int state;

  MemoryLease(
      Engine engine, MediumHandle medium, long location, long address, int length, int stripe) {
    this.engine = engine;
    this.medium = medium;
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
    beginRead();
    try {
      medium.view();
      return RawMemory.view(address, length, medium);
    } finally {
      endRead();
    }
  }

  @Override
  public void copyTo(ByteBuffer dst) {
    LeaseChecks.checkRoom(dst, length);
    beginRead();
    try {
      RawMemory.copyOut(address, dst, length);
    } finally {
      endRead();
    }
    dst.position(dst.position() + length);
  }

  @Override
  public long getLong(int index) {
    Objects.checkFromIndexSize(index, Long.BYTES, length);
    beginRead();
    try {
      return RawMemory.getLongBigEndian(address + index);
    } finally {
      endRead();
    }
  }

  private void beginRead() {
    if ((int) STATE.getAndAdd(this, 1) < 0) {
      STATE.getAndAdd(this, -1);
      throw LeaseChecks.closed();
    }
  }

  private void endRead() {
    if ((int) STATE.getAndAdd(this, -1) == CLOSED + 1) {
      unpin();
    }
  }

  @Override
  public void close() {
    if ((int) STATE.getAndBitwiseOr(this, CLOSED) == 0) {
      unpin();
    }
  }

  private void unpin() {
    engine.unpin(medium, location, length, stripe);
  }
}
