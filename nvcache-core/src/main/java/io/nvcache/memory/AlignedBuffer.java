// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A direct buffer that begins at a multiple of an alignment, as direct I/O wants it. Not
 * thread-safe.
 */
public final class AlignedBuffer {
  private final ByteBuffer bytes;
  private final long address;

  private AlignedBuffer(ByteBuffer bytes) {
    this.bytes = bytes;
    this.address = RawMemory.bufferAddress(bytes);
  }

  /**
   * Allocates a buffer of zeros.
   *
   * @param alignmentBytes a power of two
   * @throws OutOfMemoryError if the JVM may use no more direct memory
   */
  public static AlignedBuffer allocate(int capacityBytes, int alignmentBytes) {
    ByteBuffer roomy = ByteBuffer.allocateDirect(capacityBytes + alignmentBytes);
    return new AlignedBuffer(
        roomy.alignedSlice(alignmentBytes).limit(capacityBytes).slice(0, capacityBytes));
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

  /** Copies bytes to {@code dst} from {@code position} on, whatever its own position and limit. */
  public void copyOut(int from, ByteBuffer dst, int position, int lengthBytes) {
    Objects.checkFromIndexSize(from, lengthBytes, capacityBytes());
    try {
      RawMemory.copyOut(address + from, dst, position, lengthBytes);
    } finally {
      Reference.reachabilityFence(bytes);
    }
  }

  /** Copies bytes of {@code src} from {@code position} on, whatever its own position and limit. */
  public void copyIn(ByteBuffer src, int position, int to, int lengthBytes) {
    Objects.checkFromIndexSize(to, lengthBytes, capacityBytes());
    try {
      RawMemory.copyIn(src, position, address + to, lengthBytes);
    } finally {
      Reference.reachabilityFence(bytes);
    }
  }

  /** Sets bytes to 0. */
  public void zero(int from, int lengthBytes) {
    Objects.checkFromIndexSize(from, lengthBytes, capacityBytes());
    if (lengthBytes > 0) {
      try {
        RawMemory.fill(address + from, lengthBytes, (byte) 0);
      } finally {
        Reference.reachabilityFence(bytes);
      }
    }
  }
}
