// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of a medium that are wanted at the same time, each with the buffer that it is read into,
 * and which of them were read. Made once and used again; for one thread, and what that thread hands
 * it to.
 */
public final class ReadBatch {
  private final long[] offsets;
  private final @Nullable ByteBuffer[] buffers;
  private final int[] lengths;
  private final boolean[] read;
  private int size;

  /**
   * Makes a batch that is empty.
   *
   * @param most ranges that it has room for, ≥ 1
   */
  public ReadBatch(int most) {
    this.offsets = new long[most];
    this.buffers = new ByteBuffer[most];
    this.lengths = new int[most];
    this.read = new boolean[most];
  }

  /** Returns how many ranges it has room for. */
  public int most() {
    return offsets.length;
  }

  /** Returns the number of ranges. */
  public int size() {
    return size;
  }

  /**
   * Adds a range.
   *
   * @param dst has the range's place at its position, and room for it
   * @return its number
   * @throws IllegalStateException if there is no room for another
   * @throws IndexOutOfBoundsException if {@code dst} has not that much room
   */
  public int add(long offset, ByteBuffer dst, int lengthBytes) {
    if (size == offsets.length) {
      throw new IllegalStateException(
          "the batch has " + size + " ranges already; read them first, or make it larger");
    }
    Objects.checkFromIndexSize(0, lengthBytes, dst.remaining());
    offsets[size] = offset;
    buffers[size] = dst;
    lengths[size] = lengthBytes;
    read[size] = false;
    return size++;
  }

  /** Forgets all ranges. */
  public void clear() {
    Arrays.fill(buffers, 0, size, null);
    size = 0;
  }

  /** Returns the first byte of a range on the medium. */
  public long offset(int number) {
    return offsets[checked(number)];
  }

  /** Returns the buffer that a range is read into, at its position. */
  public ByteBuffer buffer(int number) {
    return Objects.requireNonNull(buffers[checked(number)]);
  }

  /** Returns the length of a range. */
  public int lengthBytes(int number) {
    return lengths[checked(number)];
  }

  /** Returns whether all of a range is in its buffer. */
  public boolean isRead(int number) {
    return read[checked(number)];
  }

  /** Says that all of a range is in its buffer. */
  public void succeeded(int number) {
    read[checked(number)] = true;
  }

  private int checked(int number) {
    return Objects.checkIndex(number, size);
  }
}
