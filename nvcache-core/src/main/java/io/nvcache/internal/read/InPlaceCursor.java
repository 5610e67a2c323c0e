// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCursor;
import io.nvcache.internal.gate.CallerKeys;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.index.IndexLifetime;
import io.nvcache.memory.RawMemory;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * Reads a block where it lies, and tells afterwards whether it still lies there: by the version of
 * its bucket, as {@link ValidatedRead} does for what takes a moment, and by the index's epoch,
 * since a cursor may rest for so long that a version comes again.
 *
 * <p><b>Memory.</b> It references its view, which keeps the memory of the medium and of the index,
 * so that both can be read at any time. Of a block, as many bytes are inside the medium as blocks
 * of the file may have: even threads that wrongly share a cursor, and see the address of one block
 * with the length of another, read no byte outside.
 */
final class InPlaceCursor implements BlockCursor {
  final FileInPlace view;
  private final IndexLifetime lifetime;
  long offset;
  private long address;

  /** 0 while it is at no block. */
  private int length;

  private long bucket;
  private int version;
  private int epoch;

  InPlaceCursor(FileInPlace view, BlockIndex index) {
    this.view = view;
    this.lifetime = index.lifetime();
    this.bucket = index.bucketOf(0); // One that can be read.
  }

  @Override
  public int moveTo(long wanted) {
    CallerKeys.checkOffset(wanted);
    boolean again = length != 0 && offset == wanted;
    abandon();
    offset = wanted;
    return again && view.findAgain(this) ? length : view.move(this);
  }

  /** Notes under which version an entry is read. Means something only if that was unchanged. */
  void begin(long inBucket, int atVersion, int atEpoch) {
    bucket = inBucket;
    version = atVersion;
    epoch = atEpoch;
  }

  /** Forgets what it {@linkplain #begin began} with, or is at. */
  void abandon() {
    length = 0;
  }

  /** Stays at the block that it began with. */
  void stay(long blockAddress, int lengthBytes) {
    address = blockAddress;
    length = lengthBytes;
  }

  int version() {
    return version;
  }

  int epoch() {
    return epoch;
  }

  @Override
  public boolean isThere() {
    try {
      return length != 0 && Bucket.isUnchanged(bucket, version) && lifetime.epoch() == epoch;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public byte getByte(int at) {
    try {
      return RawMemory.getByte(address + Objects.checkIndex(at, length));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public short getShort(int at) {
    try {
      return RawMemory.getShortLittleEndian(at(at, Short.BYTES));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public int getInt(int at) {
    try {
      return RawMemory.getIntLittleEndian(at(at, Integer.BYTES));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public long getLong(int at) {
    try {
      return RawMemory.getLongLittleEndian(at(at, Long.BYTES));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private long at(int at, int bytes) {
    return address + Objects.checkFromIndexSize(at, bytes, length);
  }

  @Override
  public void get(int at, byte[] dst, int to, int count) {
    Objects.checkFromIndexSize(to, count, dst.length);
    try {
      RawMemory.copyOut(at(at, count), dst, to, count);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void get(int at, int[] dst, int to, int count) {
    Objects.checkFromIndexSize(to, count, dst.length);
    try {
      RawMemory.copyOutLittleEndian(at(at, bytes(count, Integer.BYTES)), dst, to, count);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void get(int at, long[] dst, int to, int count) {
    Objects.checkFromIndexSize(to, count, dst.length);
    try {
      RawMemory.copyOutLittleEndian(at(at, bytes(count, Long.BYTES)), dst, to, count);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void get(int at, float[] dst, int to, int count) {
    Objects.checkFromIndexSize(to, count, dst.length);
    try {
      RawMemory.copyOutLittleEndian(at(at, bytes(count, Float.BYTES)), dst, to, count);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** More than any block has, if there is no such number. */
  private static int bytes(int count, int each) {
    return (int) Math.min(Integer.MAX_VALUE, (long) count * each);
  }
}
