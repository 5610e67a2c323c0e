// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import io.nvcache.background.DaemonThread;
import org.jspecify.annotations.Nullable;

/**
 * A run of native memory. Accesses are plain, and checked: one that lies outside, or comes after
 * {@link #close}, is an exception. Only one that overlaps with {@code close} is not noticed, and
 * must not happen.
 *
 * <p>What {@link AddressedMemory} allocates is aligned to 16 bytes: the rest of the alignment is
 * made here by allocating more.
 */
public final class OffHeapBytes implements AutoCloseable {
  private static final long MAX_BYTES = 1L << 56;

  /** What is looked at before it is written: no page of any system is smaller. */
  private static final int PIECE_BYTES = 4 << 10;

  /** The length from which asking the system costs less than touching the pages. */
  private static final int LEAST_BYTES_ASKED_FOR = 1 << 20;

  /** Bytes that are touched before {@link #close} has its turn. */
  private static final int TOUCHED_AT_ONCE = 1 << 20;

  private final AddressedMemory.Range memory;
  private final long address;
  private final long sizeBytes;

  /** The bytes that may be accessed: all, or none once the memory is freed. */
  private long openBytes;

  private OffHeapBytes(AddressedMemory.Range memory, long sizeBytes, int alignmentBytes) {
    this.memory = memory;
    this.sizeBytes = sizeBytes;
    this.openBytes = sizeBytes;
    this.address = alignUp(memory.address(), alignmentBytes);
  }

  /**
   * Allocates memory that reads as zero. Pages are taken from the system as they are first written,
   * where it gives them zeroed: a large index must not keep a store from opening.
   *
   * @param alignmentBytes a power of two
   * @throws IllegalArgumentException if the system does not give as much
   */
  public static OffHeapBytes zeroed(long sizeBytes, int alignmentBytes) {
    OffHeapBytes bytes = uninitialized(sizeBytes, alignmentBytes);
    zero(bytes.address, sizeBytes);
    return bytes;
  }

  /**
   * Allocates memory and writes each byte of it, so that all its pages are its own. Pages that were
   * only read may be one page of zeros, which is in the processor's caches: measurements need this.
   *
   * @param alignmentBytes a power of two
   * @throws IllegalArgumentException if the system does not give as much
   */
  public static OffHeapBytes filled(long sizeBytes, int alignmentBytes, byte value) {
    OffHeapBytes bytes = uninitialized(sizeBytes, alignmentBytes);
    RawMemory.fill(bytes.address, sizeBytes, value);
    return bytes;
  }

  /**
   * Writes zeros where there is anything else. No allocator of either JDK says which memory is new
   * and which was used before. The system may say it; if not, reading new pages costs 1/10 of
   * writing them, since they are one page of zeros until then.
   */
  private static void zero(long address, long sizeBytes) {
    if (sizeBytes < LEAST_BYTES_ASKED_FOR) {
      zeroUsed(address, address + sizeBytes, null);
      return;
    }
    try (UnusedPages unused = UnusedPages.open()) {
      zeroUsed(address, address + sizeBytes, unused);
    }
  }

  private static void zeroUsed(long address, long end, @Nullable UnusedPages unused) {
    long at = address;
    while (at < end) {
      long pieceEnd = Math.min(end, (at / PIECE_BYTES + 1) * PIECE_BYTES);
      long next = unused == null ? at : unused.unusedUpTo(at, end);
      if (next > at) {
        at = next;
        continue;
      }
      if (!isZero(at, pieceEnd - at)) {
        RawMemory.fill(at, pieceEnd - at, (byte) 0);
      }
      at = pieceEnd;
    }
  }

  /** Returns whether whole words read as zero, and there is nothing behind them. */
  private static boolean isZero(long address, long length) {
    long any = length & (Long.BYTES - 1);
    for (long at = address; at <= address + length - Long.BYTES; at += Long.BYTES) {
      any |= RawMemory.getLong(at);
    }
    return any == 0;
  }

  /**
   * Allocates memory that may hold anything; its pages are taken from the system as they are first
   * written.
   *
   * @param alignmentBytes a power of two
   * @throws IllegalArgumentException if the system does not give as much
   * @throws IllegalStateException if the JVM denies access to memory; names the flag
   */
  public static OffHeapBytes uninitialized(long sizeBytes, int alignmentBytes) {
    if (sizeBytes <= 0) {
      throw new IllegalArgumentException("sizeBytes is " + sizeBytes + "; it must be positive");
    }
    if (Integer.bitCount(alignmentBytes) != 1) {
      throw new IllegalArgumentException(
          "alignmentBytes is " + alignmentBytes + "; it must be a power of two");
    }
    if (sizeBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "sizeBytes is " + sizeBytes + "; no machine has more than " + MAX_BYTES);
    }
    MemoryAccess.require();
    return new OffHeapBytes(reserve(sizeBytes + alignmentBytes), sizeBytes, alignmentBytes);
  }

  /** An Error would end threads and servers over a number that an operator has to lower. */
  private static AddressedMemory.Range reserve(long sizeBytes) {
    try {
      return RawMemory.MEMORY.allocate(sizeBytes);
    } catch (OutOfMemoryError e) {
      throw new IllegalArgumentException(
          sizeBytes
              + " bytes of native memory were asked for and the system refused; the machine has "
              + SystemMemory.totalBytes()
              + " in all; ask for less",
          e);
    }
  }

  /** Returns the address of the first byte, aligned as asked for. */
  public long address() {
    return address;
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * Has a thread take all pages from the system, from the first to the last, next to those that use
   * the memory: a page that is first written in the middle of other work keeps it waiting. Changes
   * no byte.
   *
   * @param purpose what follows {@code nvcache-} in the name of the thread
   */
  public void takePagesAhead(String purpose) {
    Thread taker = DaemonThread.of("nvcache-" + purpose, this::takePages);
    try {
      taker.start();
    } catch (OutOfMemoryError noMoreThreads) {
      // Pages are taken as they are used.
    }
  }

  private void takePages() {
    for (long from = 0; from < sizeBytes; from += TOUCHED_AT_ONCE) {
      if (!takePages(from, Math.min(sizeBytes, from + TOUCHED_AT_ONCE))) {
        return;
      }
    }
  }

  /** False if the memory was freed. */
  private synchronized boolean takePages(long from, long end) {
    if (openBytes == 0) {
      return false;
    }
    for (long index = from & -PIECE_BYTES; index + Integer.BYTES <= end; index += PIECE_BYTES) {
      // Stores nothing where there is anything: then the page was taken before.
      RawMemory.compareAndSwapInt(address + (index & -Integer.BYTES), 0, 0);
    }
    return true;
  }

  public byte getByte(long index) {
    return RawMemory.getByte(at(index, Byte.BYTES));
  }

  public void putByte(long index, byte value) {
    RawMemory.putByte(at(index, Byte.BYTES), value);
  }

  public int getInt(long index) {
    return RawMemory.getInt(at(index, Integer.BYTES));
  }

  public void putInt(long index, int value) {
    RawMemory.putInt(at(index, Integer.BYTES), value);
  }

  public long getLong(long index) {
    return RawMemory.getLong(at(index, Long.BYTES));
  }

  public void putLong(long index, long value) {
    RawMemory.putLong(at(index, Long.BYTES), value);
  }

  /** Frees the memory. Does nothing the second time. */
  @Override
  public synchronized void close() {
    if (openBytes != 0) {
      openBytes = 0;
      memory.release();
    }
  }

  private long at(long index, int length) {
    if (index < 0 || index > openBytes - length) {
      throw outside(index, length);
    }
    return address + index;
  }

  private RuntimeException outside(long index, int length) {
    return openBytes == 0
        ? new IllegalStateException("the memory was freed; its cache or policy is closed")
        : new IndexOutOfBoundsException(
            length + " bytes at " + index + " do not lie in " + openBytes + " bytes");
  }

  private static long alignUp(long value, int alignment) {
    return (value + alignment - 1) & -alignment;
  }
}
