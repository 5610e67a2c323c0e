// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.memory.CopyOrder;
import io.nvcache.memory.RawMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The medium as the engine sees it: locations in, bytes out. Where the medium is memory, reads go
 * straight to its addresses, which are asked for once for all of it, or else once an extent.
 */
public final class MediumSpace implements AutoCloseable {
  private static final long UNASKED = -1;

  /** Up to a cache line, copying by words is cheaper than calling a routine that copies. */
  private static final int FEW_BYTES = 64;

  private final Medium medium;
  private final LocationCodec locations;
  private final long capacityBytes;

  /** Whether a file lies behind the memory, which may be cut short. */
  private final boolean fileBacked;

  /** Whether the medium uses buffers that another thread may move. */
  private final boolean usesMovableBuffers;

  /** Where the medium begins, if it is one piece of memory; else 0. */
  private final long base;

  private final AtomicLongArray extentAddresses;

  public MediumSpace(Medium medium, LocationCodec locations) {
    this.medium = medium;
    this.locations = locations;
    this.capacityBytes = locations.capacityBytes();
    this.fileBacked = medium.durability() != Durability.NONE;
    this.usesMovableBuffers = !medium.ignoresPositions();
    this.base = medium.address(0, capacityBytes);
    if (base != 0) {
      CopyOrder.measureFor(capacityBytes);
    }
    this.extentAddresses = new AtomicLongArray(base == 0 ? locations.extentCount() : 0);
    for (int i = 0; i < extentAddresses.length(); i++) {
      extentAddresses.setPlain(i, UNASKED);
    }
  }

  public Medium medium() {
    return medium;
  }

  /**
   * Returns whether a block of this length could lie at the location; a torn look-up may name one
   * that can't.
   */
  public boolean holds(long location, int lengthBytes) {
    return lengthBytes > 0
        && locations.byteOffset(location) <= capacityBytes - lengthBytes
        && (base != 0 || inExtent(location) <= locations.extentBytes() - lengthBytes);
  }

  private long inExtent(long location) {
    return locations.byteOffset(location) & (locations.extentBytes() - 1);
  }

  /** Returns the memory address of a location, or 0 if the medium has none. */
  public long address(long location) {
    return base != 0 ? base + locations.byteOffset(location) : addressInExtent(location);
  }

  private long addressInExtent(long location) {
    int extent = locations.extentNumber(location);
    long address = extentAddresses.get(extent);
    if (address == UNASKED) {
      try {
        long start = (long) extent * locations.extentBytes();
        long length = Math.min(locations.extentBytes(), capacityBytes - start);
        address = medium.address(start, length);
      } catch (RuntimeException | Error e) {
        return 0; // For now it is read like a medium that has none; a failure to read is counted.
      }
      extentAddresses.set(extent, address);
    }
    return address == 0 ? 0 : address + inExtent(location);
  }

  /**
   * Returns a buffer for {@link #read}: where the medium has no address, and so uses the buffer
   * itself, one that no other thread moves. If this fails, another thread moved the caller's
   * buffer, and the medium is not to blame.
   */
  public ByteBuffer unmovedForRead(long location, ByteBuffer callers, int position) {
    return usesMovableBuffers && address(location) == 0 ? unmoved(callers, position) : callers;
  }

  /**
   * Returns a buffer for {@link #write} in the same way. The medium is asked for no address, since
   * it may hang, and only in its own calls is it waited for.
   */
  public ByteBuffer unmovedForWrite(ByteBuffer callers, int position) {
    return usesMovableBuffers && base == 0 ? unmoved(callers, position) : callers;
  }

  private static ByteBuffer unmoved(ByteBuffer callers, int position) {
    return callers.duplicate().clear().position(position);
  }

  /**
   * Copies bytes of the block at the location, from one of its bytes on, to {@code dst} from {@code
   * position} on, which was its position when there was known to be room.
   */
  public void read(long location, int from, ByteBuffer dst, int position, int lengthBytes)
      throws IOException {
    long address = address(location);
    if (address == 0) {
      medium.read(locations.byteOffset(location) + from, dst, position, lengthBytes);
    } else if (fileBacked) {
      RawMemory.copyOutOfMapping(address + from, dst, position, lengthBytes);
    } else {
      RawMemory.copyBlockOut(address + from, dst, position, lengthBytes);
    }
  }

  /** Returns whether the medium is one piece of memory with no file behind it. */
  public boolean isPlainMemory() {
    return base != 0 && !fileBacked;
  }

  /**
   * What {@link #read} does where the medium {@linkplain #isPlainMemory is plain memory}. Chooses
   * the order here and not a call further down: JIT compilers inline to a depth, beyond which
   * checks of {@code java.lang.foreign} stay calls: one for each piece of a block in streams.
   */
  public void copyOut(long location, int from, ByteBuffer dst, int position, int lengthBytes) {
    long address = base + locations.byteOffset(location) + from;
    if (lengthBytes <= FEW_BYTES) {
      RawMemory.copyFewOut(address, dst, position, lengthBytes);
    } else if (CopyOrder.readsInStreams(lengthBytes)) {
      RawMemory.copyStreamsOut(address, dst, position, lengthBytes);
    } else {
      RawMemory.copyOut(address, dst, position, lengthBytes);
    }
  }

  /** Copies {@code lengthBytes} of {@code block} from {@code position} on to the medium. */
  public void write(long location, ByteBuffer block, int position, int lengthBytes)
      throws IOException {
    medium.write(locations.byteOffset(location), block, position, lengthBytes);
  }

  @Override
  public void close() {
    medium.close();
  }
}
