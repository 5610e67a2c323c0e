// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.medium.Medium;
import io.nvcache.memory.RawMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The medium as the engine sees it: locations in, bytes out. Where the medium is memory, reads go
 * straight to its addresses, which are asked for once an extent.
 */
final class Space implements AutoCloseable {
  private static final long UNASKED = -1;

  private final Medium medium;
  private final SlabAllocator allocator;
  private final AtomicLongArray extentAddresses;

  Space(Medium medium, SlabAllocator allocator) {
    this.medium = medium;
    this.allocator = allocator;
    this.extentAddresses = new AtomicLongArray(allocator.extentCount());
    for (int i = 0; i < extentAddresses.length(); i++) {
      extentAddresses.setPlain(i, UNASKED);
    }
  }

  Medium medium() {
    return medium;
  }

  /**
   * Whether a block of this length could lie at the location; a torn look-up may name one that
   * can't.
   */
  boolean holds(long location, int lengthBytes) {
    return lengthBytes > 0
        && allocator.extentNumber(location) < extentAddresses.length()
        && inExtent(location) + lengthBytes <= allocator.extentBytes();
  }

  private long inExtent(long location) {
    return allocator.byteOffset(location) & (allocator.extentBytes() - 1);
  }

  /** The memory address of a location, or 0 if the medium has none. */
  long address(long location) {
    int extent = allocator.extentNumber(location);
    long address = extentAddresses.get(extent);
    if (address == UNASKED) {
      address = medium.address((long) extent * allocator.extentBytes(), allocator.extentBytes());
      extentAddresses.set(extent, address);
    }
    if (address == 0) {
      return 0;
    }
    return address + inExtent(location);
  }

  /** Copies a block to {@code dst} at its position, which stays where it is. */
  void read(long location, ByteBuffer dst, int lengthBytes) throws IOException {
    long address = address(location);
    if (address != 0) {
      RawMemory.copyOut(address, dst, lengthBytes);
    } else {
      medium.read(allocator.byteOffset(location), dst, lengthBytes);
    }
  }

  /** Copies {@code lengthBytes} of {@code block} from {@code position} on to the medium. */
  void write(long location, ByteBuffer block, int position, int lengthBytes) throws IOException {
    medium.write(allocator.byteOffset(location), block, position, lengthBytes);
  }

  @Override
  public void close() {
    medium.close();
  }
}
