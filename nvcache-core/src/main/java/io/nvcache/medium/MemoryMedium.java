// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.memory.BufferRefusals;
import io.nvcache.memory.Claims;
import io.nvcache.memory.RawMemory;
import io.nvcache.memory.VanishingMemory;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A medium that is one contiguous range of memory. */
abstract class MemoryMedium implements Medium {
  private final long baseAddress;
  private final long capacityBytes;

  /** The bytes that may be accessed: all, or none once the memory is given back. */
  private volatile long openBytes;

  MemoryMedium(long baseAddress, long capacityBytes) {
    this.baseAddress = baseAddress;
    this.capacityBytes = capacityBytes;
    this.openBytes = capacityBytes;
  }

  @Override
  public final long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public final void read(long offset, ByteBuffer dst, int length) {
    checkRange(offset, length);
    Objects.checkFromIndexSize(dst.position(), length, dst.limit());
    if (dst.isReadOnly()) {
      throw BufferRefusals.readOnly();
    }
    if (RawMemory.mayVanish(dst)) {
      ByteBuffer copy = ByteBuffer.allocate(length);
      read(offset, copy, length);
      VanishingMemory.copyTo(dst, dst.position(), copy);
      return;
    }
    if (durability() == Durability.NONE) {
      RawMemory.copyBlockOut(baseAddress + offset, dst, dst.position(), length);
    } else {
      RawMemory.copyOutOfMapping(baseAddress + offset, dst, dst.position(), length);
    }
  }

  @Override
  public final void write(long offset, ByteBuffer src, int srcPosition, int length) {
    checkRange(offset, length);
    Objects.checkFromIndexSize(srcPosition, length, src.capacity());
    if (RawMemory.mayVanish(src)) {
      write(offset, VanishingMemory.copyOf(src, srcPosition, length), 0, length);
      return;
    }
    RawMemory.copyBlockIn(src, srcPosition, baseAddress + offset, length);
    if (durability() != Durability.NONE) {
      RawMemory.deliverFaults();
    }
  }

  @Override
  public final long address(long offset, long length) {
    checkRange(offset, length);
    return baseAddress + offset;
  }

  private void checkRange(long offset, long length) {
    long open = openBytes;
    if (open == 0) {
      throw new IllegalStateException("the medium is closed; make a new one");
    }
    Objects.checkFromIndexSize(offset, length, open);
  }

  /** Gives the memory back. Does nothing the second time. */
  @Override
  public final synchronized void close() {
    Claims.requireNotHeld(this);
    if (openBytes != 0) {
      openBytes = 0;
      free();
    }
  }

  /** Gives the memory back; called once. */
  abstract void free();

  @Override
  public WriteCost writeCost() {
    return WriteCost.FREE_REMOVALS;
  }
}
