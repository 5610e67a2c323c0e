// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.reading;

import io.nvcache.BlockCursor;
import java.io.EOFException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads a part of a file through a window onto some of its bytes: a cached block's where it lies,
 * or of an array. Subclasses turn the window to what is read next.
 *
 * <p>A block in place may go while it is read. What was read of it is believed only if it was there
 * afterwards; otherwise the window is turned to it again.
 *
 * <p>As any {@link IndexInput}, for one thread at a time.
 */
abstract class WindowedIndexInput extends IndexInput implements RandomAccessInput {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] NO_BYTES = {};
  private static final int NOT_HERE = -1;

  /** The longest group of four numbers, and what is read with its last one. */
  private static final int MOST_GROUP_BYTES = 1 + 4 * Integer.BYTES;

  /** Where this part begins and ends in the file; positions are the file's as well. */
  final long start;

  final long end;
  private long position;
  private long windowStart;

  /** 0 while there is no window. */
  private int windowBytes;

  /** Where the window's first byte lies in its block or array. */
  private int windowFrom;

  /** The block in place; null if the window is onto an array. */
  private @Nullable BlockCursor inPlace;

  private byte[] array = NO_BYTES;

  WindowedIndexInput(String description, long start, long length) {
    super(description);
    this.start = start;
    this.end = start + length;
    this.position = start;
  }

  /**
   * Turns the window to a byte, by {@link #showInPlace} or {@link #show}.
   *
   * @param at the byte, inside this part
   * @param until where the bytes end that are wanted in a row; not beyond this part
   */
  abstract void turnTo(long at, long until) throws IOException;

  /** Opens the window onto a block where it lies. */
  final void showInPlace(BlockCursor block, long blockStart, int length) {
    inPlace = block;
    open(blockStart, 0, length);
  }

  /** Opens the window onto bytes of an array, which lie in the file from {@code from} on. */
  final void show(byte[] bytes, int index, long from, int length) {
    inPlace = null;
    array = bytes;
    open(from, index, length);
  }

  private void open(long from, int index, int length) {
    windowStart = Math.max(start, from);
    windowFrom = index + (int) (windowStart - from);
    windowBytes = (int) (Math.min(end, from + length) - windowStart);
  }

  final void closeWindow() {
    windowBytes = 0;
    inPlace = null;
    array = NO_BYTES;
  }

  /** Returns where bytes lie in the block or array, or {@link #NOT_HERE} if not all do. */
  private int index(long at, int bytes) {
    long into = at - windowStart;
    return into >= 0 && into <= windowBytes - bytes ? windowFrom + (int) into : NOT_HERE;
  }

  /** Turns the window to a number; false if it does not show all of it afterwards. */
  private boolean turnToAll(long at, int bytes) throws IOException {
    if (index(at, bytes) >= 0) {
      closeWindow(); // The block is not there any more.
    }
    if (index(at, 1) < 0) {
      turnWithin(at, at + bytes);
    }
    return index(at, bytes) >= 0;
  }

  private void turnWithin(long at, long until) throws IOException {
    if (at < start || at >= end) {
      throw new EOFException("read past EOF: pos=" + (at - start) + ": " + this);
    }
    closeWindow(); // What it shows may be written to, and what is read may fail.
    turnTo(at, Math.min(until, end));
  }

  private byte byteAt(long at) throws IOException {
    do {
      int index = index(at, Byte.BYTES);
      if (index >= 0) {
        BlockCursor block = inPlace;
        if (block == null) {
          return array[index];
        }
        byte value = block.getByte(index);
        if (block.isThere()) {
          return value;
        }
      }
      turnToAll(at, Byte.BYTES);
    } while (true);
  }

  private short shortAt(long at) throws IOException {
    do {
      int index = index(at, Short.BYTES);
      if (index >= 0) {
        BlockCursor block = inPlace;
        if (block == null) {
          return (short) SHORTS.get(array, index);
        }
        short value = block.getShort(index);
        if (block.isThere()) {
          return value;
        }
      }
    } while (turnToAll(at, Short.BYTES));
    return (short) (Byte.toUnsignedInt(byteAt(at)) | byteAt(at + Byte.BYTES) << Byte.SIZE);
  }

  private int intAt(long at) throws IOException {
    do {
      int index = index(at, Integer.BYTES);
      if (index >= 0) {
        BlockCursor block = inPlace;
        if (block == null) {
          return (int) INTS.get(array, index);
        }
        int value = block.getInt(index);
        if (block.isThere()) {
          return value;
        }
      }
    } while (turnToAll(at, Integer.BYTES));
    return Short.toUnsignedInt(shortAt(at)) | shortAt(at + Short.BYTES) << Short.SIZE;
  }

  private long longAt(long at) throws IOException {
    do {
      int index = index(at, Long.BYTES);
      if (index >= 0) {
        BlockCursor block = inPlace;
        if (block == null) {
          return (long) LONGS.get(array, index);
        }
        long value = block.getLong(index);
        if (block.isThere()) {
          return value;
        }
      }
    } while (turnToAll(at, Long.BYTES));
    return Integer.toUnsignedLong(intAt(at)) | (long) intAt(at + Integer.BYTES) << Integer.SIZE;
  }

  private void copy(long from, byte[] dst, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, dst.length);
    long until = from + length;
    if (until > end) {
      throw new EOFException("read past EOF: " + this);
    }
    long at = from;
    while (at < until) {
      int index = index(at, Byte.BYTES);
      if (index < 0) {
        turnWithin(at, until);
        continue;
      }
      int count = (int) Math.min(until - at, windowStart + windowBytes - at);
      int to = offset + (int) (at - from);
      BlockCursor block = inPlace;
      if (block == null) {
        System.arraycopy(array, index, dst, to, count);
      } else {
        block.get(index, dst, to, count);
        if (!block.isThere()) {
          closeWindow();
          continue;
        }
      }
      at += count;
    }
  }

  /** Returns how many numbers in a row the window shows, of those that are wanted; or 0. */
  private int shown(int wanted, int bytesEach) {
    long into = position - windowStart;
    return into < 0 ? 0 : (int) Math.min(wanted, Math.max(0, windowBytes - into) / bytesEach);
  }

  @Override
  public final byte readByte() throws IOException {
    byte value = byteAt(position);
    position += Byte.BYTES;
    return value;
  }

  @Override
  public final short readShort() throws IOException {
    short value = shortAt(position);
    position += Short.BYTES;
    return value;
  }

  @Override
  public final int readInt() throws IOException {
    int value = intAt(position);
    position += Integer.BYTES;
    return value;
  }

  @Override
  public final long readLong() throws IOException {
    long value = longAt(position);
    position += Long.BYTES;
    return value;
  }

  @Override
  public final void readBytes(byte[] dst, int offset, int length) throws IOException {
    copy(position, dst, offset, length);
    position += length;
  }

  @Override
  public final void readInts(int[] dst, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, dst.length);
    int to = offset;
    int until = offset + length;
    while (to < until) {
      int count = shown(until - to, Integer.BYTES);
      BlockCursor block = inPlace;
      if (count == 0 || block == null) {
        dst[to++] = readInt();
        continue;
      }
      block.get(index(position, Integer.BYTES), dst, to, count);
      if (block.isThere()) {
        position += (long) count * Integer.BYTES;
        to += count;
      } else {
        closeWindow();
      }
    }
  }

  @Override
  public final void readLongs(long[] dst, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, dst.length);
    int to = offset;
    int until = offset + length;
    while (to < until) {
      int count = shown(until - to, Long.BYTES);
      BlockCursor block = inPlace;
      if (count == 0 || block == null) {
        dst[to++] = readLong();
        continue;
      }
      block.get(index(position, Long.BYTES), dst, to, count);
      if (block.isThere()) {
        position += (long) count * Long.BYTES;
        to += count;
      } else {
        closeWindow();
      }
    }
  }

  @Override
  public final void readFloats(float[] dst, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, dst.length);
    int to = offset;
    int until = offset + length;
    while (to < until) {
      int count = shown(until - to, Float.BYTES);
      BlockCursor block = inPlace;
      if (count == 0 || block == null) {
        dst[to++] = Float.intBitsToFloat(readInt());
        continue;
      }
      block.get(index(position, Float.BYTES), dst, to, count);
      if (block.isThere()) {
        position += (long) count * Float.BYTES;
        to += count;
      } else {
        closeWindow();
      }
    }
  }

  /**
   * Four numbers of one to four bytes each, behind a byte that has their lengths, two bits each,
   * the first one's highest.
   */
  @Override
  @SuppressWarnings("deprecation") // Lucene's own readers of groups call it.
  public final void readGroupVInt(int[] dst, int offset) throws IOException {
    BlockCursor block = inPlace;
    int index = index(position, MOST_GROUP_BYTES);
    if (block == null || index < 0) {
      super.readGroupVInt(dst, offset);
      return;
    }
    int lengths = block.getByte(index);
    int at = index + 1;
    for (int i = 0; i < 4; i++) {
      int more = lengths >>> (6 - 2 * i) & 3;
      dst[offset + i] = block.getInt(at) & -1 >>> (Byte.SIZE * (3 - more));
      at += 1 + more;
    }
    if (block.isThere()) {
      position += at - index;
    } else {
      closeWindow();
      super.readGroupVInt(dst, offset);
    }
  }

  @Override
  public final byte readByte(long pos) throws IOException {
    return byteAt(start + pos);
  }

  @Override
  public final short readShort(long pos) throws IOException {
    return shortAt(start + pos);
  }

  @Override
  public final int readInt(long pos) throws IOException {
    return intAt(start + pos);
  }

  @Override
  public final long readLong(long pos) throws IOException {
    return longAt(start + pos);
  }

  @Override
  public final void readBytes(long pos, byte[] bytes, int offset, int length) throws IOException {
    copy(start + pos, bytes, offset, length);
  }

  @Override
  public final long getFilePointer() {
    return position - start;
  }

  @Override
  public final long length() {
    return end - start;
  }

  @Override
  public void seek(long pos) throws IOException {
    if (pos < 0 || pos > end - start) {
      throw new EOFException("seek to pos=" + pos + " vs length=" + (end - start) + ": " + this);
    }
    position = start + pos;
  }

  @Override
  public final void skipBytes(long count) throws IOException {
    if (count < 0) {
      throw new IllegalArgumentException(count + " bytes to skip; give 0 or more");
    }
    seek(getFilePointer() + count);
  }

  /** Checks that a part lies in this one. */
  final void checkPart(String description, long offset, long length) {
    if ((length | offset) < 0 || length > length() - offset) {
      throw new IllegalArgumentException(
          "slice() " + description + " out of bounds: " + offset + ", " + length + ": " + this);
    }
  }

  @Override
  public WindowedIndexInput clone() {
    WindowedIndexInput clone = (WindowedIndexInput) super.clone();
    clone.closeWindow(); // It belongs to the original.
    return clone;
  }
}
