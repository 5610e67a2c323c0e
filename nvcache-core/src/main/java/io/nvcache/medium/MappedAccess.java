// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.memory.BufferRefusals;
import io.nvcache.memory.RawMemory;
import io.nvcache.memory.VanishingMemory;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;

/**
 * Copies between buffers and a range of memory that a {@link Medium} knows by its address, such as
 * a mapped file or a heap of persistent memory. Every access is checked against the range and the
 * buffer before a byte is touched. Thread-safe; keeps nothing alive.
 *
 * <p>The memory must stay mapped for as long as calls run: the medium sees to that, by its {@link
 * Medium#close}. What a call can't copy, because the file of a mapping was cut short, is an {@link
 * InternalError} of that call, and of no later one.
 */
public final class MappedAccess {
  private final long address;
  private final long lengthBytes;

  private MappedAccess(long address, long lengthBytes) {
    this.address = address;
    this.lengthBytes = lengthBytes;
  }

  /**
   * Returns access to a range of memory.
   *
   * @param address of its first byte, not 0
   * @param lengthBytes 0 or more
   */
  public static MappedAccess of(long address, long lengthBytes) {
    if (address == 0 || lengthBytes < 0) {
      throw new IllegalArgumentException(
          "the range begins at address "
              + address
              + " and has "
              + lengthBytes
              + " bytes; give the address of mapped memory, and 0 bytes or more");
    }
    return new MappedAccess(address, lengthBytes);
  }

  /**
   * Reads bytes into a buffer, whose position and limit stay as they are.
   *
   * @param offset of the first byte in the range
   * @param dst heap or direct
   * @param dstPosition where the first byte goes in {@code dst}
   * @throws IndexOutOfBoundsException if the range or the buffer has no such bytes
   * @throws ReadOnlyBufferException if the buffer is read-only
   * @throws InternalError if the memory, or the buffer's, is a mapping whose file was cut short
   */
  public void read(long offset, ByteBuffer dst, int dstPosition, int length) {
    Objects.checkFromIndexSize(offset, length, lengthBytes);
    Objects.checkFromIndexSize(dstPosition, length, dst.capacity());
    if (dst.isReadOnly()) {
      throw BufferRefusals.readOnly();
    }
    if (RawMemory.mayVanish(dst)) {
      ByteBuffer copy = ByteBuffer.allocate(length);
      read(offset, copy, 0, length);
      VanishingMemory.copyTo(dst, dstPosition, copy);
      return;
    }
    RawMemory.copyOutOfMapping(address + offset, dst, dstPosition, length);
  }

  /**
   * Writes bytes of a buffer, whose position and limit stay as they are and may change during the
   * call.
   *
   * @param offset of the first byte in the range
   * @param src heap or direct
   * @param srcPosition of the first byte in {@code src}
   * @throws IndexOutOfBoundsException if the range or the buffer has no such bytes
   * @throws InternalError if the memory, or the buffer's, is a mapping whose file was cut short;
   *     the bytes written to are then undefined
   */
  public void write(long offset, ByteBuffer src, int srcPosition, int length) {
    Objects.checkFromIndexSize(offset, length, lengthBytes);
    Objects.checkFromIndexSize(srcPosition, length, src.capacity());
    if (RawMemory.mayVanish(src)) {
      write(offset, VanishingMemory.copyOf(src, srcPosition, length), 0, length);
      return;
    }
    RawMemory.copyIn(src, srcPosition, address + offset, length);
    deliverFaults();
  }

  /**
   * Sets bytes to zero.
   *
   * @throws IndexOutOfBoundsException if the range has no such bytes
   * @throws InternalError if the memory is a mapping whose file was cut short
   */
  public void clear(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, lengthBytes);
    RawMemory.fill(address + offset, length, (byte) 0);
    deliverFaults();
  }

  /**
   * Throws the {@link InternalError} of an earlier access of this thread to a mapping whose file
   * was cut short, if one is pending. HotSpot throws such an error some time after compiled code
   * has met the fault. A medium that writes to a mapping by other means than this class, such as a
   * {@link java.nio.MappedByteBuffer}, calls this before it returns, or the error is thrown in the
   * next caller's code.
   */
  public static void deliverFaults() {
    RawMemory.deliverFaults();
  }
}
