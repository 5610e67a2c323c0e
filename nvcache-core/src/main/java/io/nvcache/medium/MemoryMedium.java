// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.memory.RawMemory;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A medium that is one contiguous range of memory. */
abstract class MemoryMedium implements Medium {
  private final long baseAddress;
  private final long capacityBytes;

  MemoryMedium(long baseAddress, long capacityBytes) {
    this.baseAddress = baseAddress;
    this.capacityBytes = capacityBytes;
  }

  @Override
  public final long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public final void read(long offset, ByteBuffer dst, int length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    Objects.checkFromIndexSize(dst.position(), length, dst.limit());
    if (durability() == Durability.NONE) {
      RawMemory.copyBlockOut(baseAddress + offset, dst, dst.position(), length);
    } else {
      RawMemory.copyOutOfMapping(baseAddress + offset, dst, dst.position(), length);
    }
  }

  @Override
  public final void write(long offset, ByteBuffer src, int srcPosition, int length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    Objects.checkFromIndexSize(srcPosition, length, src.capacity());
    RawMemory.copyBlockIn(src, srcPosition, baseAddress + offset, length);
    if (durability() != Durability.NONE) {
      RawMemory.deliverFaults();
    }
  }

  @Override
  public final long address(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    return baseAddress + offset;
  }

  @Override
  public WriteCost writeCost() {
    return WriteCost.FREE_REMOVALS;
  }
}
