// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lends buffers of native memory by length, and never has more of it than a limit: who finds none
 * left goes without. A short buffer must not cost what the longest does, so each power of two bytes
 * has its own buffers; where the limit is reached, a longer one is lent, or shorter ones that are
 * not in use make room.
 *
 * <p>Up to {@link LendingPool#MOST} buffers of each length are kept while they are not in use.
 *
 * @param <T> what is lent: a buffer, or an object that has one for good
 */
public final class BufferPool<T> implements AutoCloseable {
  private static final int LEAST_SHIFT = 12;
  private static final long LEAST_LIMIT_BYTES = 64 << 20;
  private static final int LONGEST_AT_ONCE = 16;
  private static final int PARTS_OF_HEAP = 8;

  private final int longestBytes;
  private final int extraBytes;
  private final int alignmentBytes;
  private final long limitBytes;
  private final Function<AlignedBuffer, T> maker;
  private final Function<T, AlignedBuffer> bufferOf;

  /** Places by class of length; null for a class that was never asked for. */
  private final AtomicReferenceArray<@Nullable LendingPlaces<T>> classes;

  /** The bytes of all buffers that were made and not freed. */
  private final AtomicLong allocatedBytes = new AtomicLong();

  private volatile boolean closed;

  /**
   * Makes a pool that is empty.
   *
   * @param longestBytes the most that is asked for
   * @param extraBytes that each buffer has beyond its class's power of two
   * @param alignmentBytes of the buffers, a power of two
   * @param limitBytes that all buffers together may take
   */
  public BufferPool(
      int longestBytes,
      int extraBytes,
      int alignmentBytes,
      long limitBytes,
      Function<AlignedBuffer, T> maker,
      Function<T, AlignedBuffer> bufferOf) {
    this.longestBytes = longestBytes;
    this.extraBytes = extraBytes;
    this.alignmentBytes = alignmentBytes;
    this.limitBytes = limitBytes;
    this.maker = maker;
    this.bufferOf = bufferOf;
    this.classes = new AtomicReferenceArray<>(classOf(longestBytes) + 1);
  }

  /** Makes a pool of plain buffers. */
  public static BufferPool<AlignedBuffer> ofBuffers(
      int longestBytes, int alignmentBytes, long limitBytes) {
    return new BufferPool<>(
        longestBytes, 0, alignmentBytes, limitBytes, Function.identity(), Function.identity());
  }

  /**
   * Returns how much buffers may take unless a limit is set: 1/8 of what the heap may, and at least
   * 64 MiB and sixteen of the longest.
   */
  public static long usualLimitBytes(int longestBytes) {
    return Math.max(
        Math.max(LEAST_LIMIT_BYTES, Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP),
        (long) LONGEST_AT_ONCE * longestBytes);
  }

  private static int classOf(int lengthBytes) {
    int shift = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, lengthBytes) - 1);
    return Math.max(0, shift - LEAST_SHIFT);
  }

  /**
   * Returns what has room for so many bytes, and is the caller's own until it is given back; null
   * if the limit is reached, the system has no memory, or nothing is as long.
   */
  public @Nullable T take(int lengthBytes) {
    if (lengthBytes > longestBytes) {
      return null;
    }
    int wanted = classOf(lengthBytes);
    T kept = takeKept(wanted);
    if (kept == null) {
      kept = make(wanted);
    }
    return kept == null ? takeAtLimit(wanted) : kept;
  }

  private @Nullable T takeKept(int ofClass) {
    LendingPlaces<T> places = classes.get(ofClass);
    return places == null ? null : places.take();
  }

  /** Null if the limit is reached, or the system has no memory. */
  private @Nullable T make(int ofClass) {
    int capacity = capacityBytes(ofClass);
    long bytes = AlignedBuffer.allocatedBytes(capacity, alignmentBytes);
    if (allocatedBytes.addAndGet(bytes) > limitBytes) {
      allocatedBytes.addAndGet(-bytes);
      return null;
    }
    AlignedBuffer buffer = null;
    try {
      AtomicLong allocated = allocatedBytes; // The pool itself may be garbage by then.
      buffer = AlignedBuffer.allocate(capacity, alignmentBytes, () -> allocated.addAndGet(-bytes));
      return maker.apply(buffer);
    } catch (OutOfMemoryError systemHasNone) {
      return null;
    } finally {
      if (buffer == null) {
        allocatedBytes.addAndGet(-bytes);
      }
    }
  }

  private int capacityBytes(int ofClass) {
    int usual = 1 << (LEAST_SHIFT + ofClass);
    return Math.min(usual, Math.max(longestBytes, 1 << LEAST_SHIFT)) + extraBytes;
  }

  private @Nullable T takeAtLimit(int wanted) {
    for (int longer = wanted + 1; longer < classes.length(); longer++) {
      T kept = takeKept(longer);
      if (kept != null) {
        return kept;
      }
    }
    for (int shorter = wanted - 1; shorter >= 0; shorter--) {
      for (T kept = takeKept(shorter); kept != null; kept = takeKept(shorter)) {
        bufferOf.apply(kept).free();
        T made = make(wanted);
        if (made != null) {
          return made;
        }
      }
    }
    return null;
  }

  /** Gives back what was taken; its memory is freed if there isn't any place for it. */
  public void giveBack(T lent) {
    int ofClass =
        classOf(Math.min(longestBytes, bufferOf.apply(lent).capacityBytes() - extraBytes));
    if (closed || !places(ofClass).keep(lent)) {
      bufferOf.apply(lent).free();
    } else if (closed) { // By now: whoever closed it may have looked before.
      freeKept();
    }
  }

  private LendingPlaces<T> places(int ofClass) {
    LendingPlaces<T> places = classes.get(ofClass);
    if (places != null) {
      return places;
    }
    LendingPlaces<T> made = new LendingPlaces<>();
    LendingPlaces<T> other = classes.compareAndExchange(ofClass, null, made);
    return other == null ? made : other;
  }

  /** Returns the bytes of the buffers that there are, lent or not. */
  public long allocatedBytes() {
    return allocatedBytes.get();
  }

  /** Frees what is not lent, and from now on each buffer when it is given back. */
  @Override
  public void close() {
    closed = true;
    freeKept();
  }

  private void freeKept() {
    for (int i = 0; i < classes.length(); i++) {
      for (T kept = takeKept(i); kept != null; kept = takeKept(i)) {
        bufferOf.apply(kept).free();
      }
    }
  }
}
