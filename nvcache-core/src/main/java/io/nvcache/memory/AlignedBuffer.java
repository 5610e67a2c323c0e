// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A direct buffer that begins at a multiple of an alignment, as direct I/O wants it. Not
 * thread-safe.
 *
 * <p>Its memory is native, and none that {@code -XX:MaxDirectMemorySize} bounds: taking it never
 * collects the heap. It goes back when it is {@linkplain #free freed}, otherwise when neither the
 * buffer nor one made from it is reachable any more.
 */
public final class AlignedBuffer {
  private static final ByteBuffer FREED = ByteBuffer.allocateDirect(0);

  private final CollectedMemory memory;
  private final long address;
  private ByteBuffer bytes;
  private volatile boolean leftToCollector;

  private AlignedBuffer(CollectedMemory memory, int capacityBytes, int alignmentBytes) {
    this.memory = memory;
    this.address = (memory.address() + alignmentBytes - 1) & -alignmentBytes;
    RawMemory.fill(address, capacityBytes, (byte) 0);
    this.bytes = RawMemory.MEMORY.writableView(address, capacityBytes, memory);
  }

  /**
   * Allocates a buffer of zeros.
   *
   * @param alignmentBytes a power of two
   * @throws OutOfMemoryError if the system does not give as much
   */
  public static AlignedBuffer allocate(int capacityBytes, int alignmentBytes) {
    return allocate(capacityBytes, alignmentBytes, () -> {});
  }

  /**
   * The same.
   *
   * @param whenFreed run once, when the memory has gone back; must not refer to the buffer
   */
  static AlignedBuffer allocate(int capacityBytes, int alignmentBytes, Runnable whenFreed) {
    long bytes = allocatedBytes(capacityBytes, alignmentBytes);
    return new AlignedBuffer(
        CollectedMemory.allocate(bytes, whenFreed), capacityBytes, alignmentBytes);
  }

  /** Returns what a buffer takes from the system. */
  static long allocatedBytes(int capacityBytes, int alignmentBytes) {
    return (long) capacityBytes + alignmentBytes;
  }

  /** Returns whether a direct buffer's byte at a position lies at a multiple of an alignment. */
  public static boolean isAligned(ByteBuffer direct, int position, int alignmentBytes) {
    return ((RawMemory.bufferAddress(direct) + position) & (alignmentBytes - 1)) == 0;
  }

  public int capacityBytes() {
    return bytes.capacity();
  }

  /** Returns the buffer itself, with its position at 0 and its limit at a length. */
  public ByteBuffer first(int lengthBytes) {
    return bytes.clear().limit(lengthBytes);
  }

  /**
   * Returns the buffer itself, for those that read and write it at given places only, by several
   * threads if these are apart.
   */
  public ByteBuffer whole() {
    return bytes;
  }

  /** Returns the address of the first byte; valid as long as the buffer is reachable. */
  public long address() {
    return address;
  }

  /**
   * Has {@link #free} free nothing from now on: somebody may read the memory unseen, by a view or
   * after the call that it was lent for.
   */
  public void leaveToCollector() {
    if (!leftToCollector) {
      leftToCollector = true;
    }
  }

  /**
   * Gives the memory back, if it was not {@linkplain #leaveToCollector left to the garbage
   * collector}. The buffer has no bytes from then on; no thread may be using it, or a buffer made
   * from it.
   */
  public void free() {
    bytes = FREED;
    if (!leftToCollector) {
      memory.free();
    }
  }

  /** Copies bytes to {@code dst} from {@code position} on, whatever its own position and limit. */
  public void copyOut(int from, ByteBuffer dst, int position, int lengthBytes) {
    Objects.checkFromIndexSize(from, lengthBytes, capacityBytes());
    try {
      RawMemory.copyOut(address + from, dst, position, lengthBytes);
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** Copies bytes of {@code src} from {@code position} on, whatever its own position and limit. */
  public void copyIn(ByteBuffer src, int position, int to, int lengthBytes) {
    Objects.checkFromIndexSize(to, lengthBytes, capacityBytes());
    try {
      RawMemory.copyIn(src, position, address + to, lengthBytes);
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** Sets bytes to 0. */
  public void zero(int from, int lengthBytes) {
    Objects.checkFromIndexSize(from, lengthBytes, capacityBytes());
    if (lengthBytes > 0) {
      try {
        RawMemory.fill(address + from, lengthBytes, (byte) 0);
      } finally {
        Reference.reachabilityFence(memory);
      }
    }
  }
}
