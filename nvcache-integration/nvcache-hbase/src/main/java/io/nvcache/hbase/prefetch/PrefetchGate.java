// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.prefetch;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends prefetches whose blocks the cache does not take. HBase reads each block of a file that it
 * opens from the store and offers it, so what admission refuses was fetched in vain.
 *
 * <p>A prefetch may waste one block for each ten that are cached, and eight in advance. The one
 * that wastes more is ended, and for a minute no file is prefetched again, and those under way end
 * with the first block that they waste: room and credit are gone for all of them. Then one tries
 * again, since blocks may have been evicted or the budget grown. Thread-safe; a prefetch has a its
 * own thread.
 */
final class PrefetchGate {
  private static final int WASTED_IN_ADVANCE = 8;
  private static final int CACHED_FOR_ONE_WASTED = 10;
  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();

  private static final int MOST_DEBT = WASTED_IN_ADVANCE * CACHED_FOR_ONE_WASTED;

  /** One file's prefetch. */
  private static final class Run {
    final String hfileName;
    int cachedBlocks;

    /** Rises with each block that was wasted, and falls with each that was cached. */
    int debt;

    boolean wasted;

    /** Whether a block was not taken for want of room or credit, which others will want as well. */
    boolean outOfRoom;

    /** Whether a block was read, and HBase knows a length from it. */
    boolean reads;

    /** Whether HBase has interrupted it, which clears that mark before it says what it did. */
    boolean interrupted;

    /** Of the block that was left out last: its offset and its bytes in the file. */
    long leftOutOffset = -1;

    int leftOutBytes;

    Run(String hfileName) {
      this.hfileName = hfileName;
    }
  }

  @SuppressWarnings("ThreadLocalUsage") // A server has one cache, and it lives as long.
  private final ThreadLocal<@Nullable Run> current = new ThreadLocal<>();

  private final LongSupplier nanoTime;
  private volatile @Nullable Long endedNanos;

  PrefetchGate(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Returns whether the calling thread's prefetch may leave out a block that is cached.
   *
   * @param keepsItsPlace whether HBase's reader does so after a block that it left out
   */
  boolean mayLeaveOut(String hfileName, long offset, boolean keepsItsPlace) {
    if (offset == 0) {
      current.remove(); // Here each prefetch begins.
    }
    return keepsItsPlace || !run(hfileName).reads;
  }

  /**
   * Notes that the calling thread's prefetch leaves out a block that is cached.
   *
   * @param onDiskBytes what the block takes in its file; 0 if it is not cached and has to be read
   * @return whether it is left out
   */
  boolean leftOut(String hfileName, long offset, int onDiskBytes) {
    Run run = run(hfileName);
    if (onDiskBytes <= 0) {
      run.reads = true;
      return false;
    }
    run.leftOutOffset = offset;
    run.leftOutBytes = onDiskBytes;
    run.cachedBlocks++;
    run.debt = Math.max(0, run.debt - 1);
    return true;
  }

  /** Returns the bytes of the block that the calling thread left out last; 0 of another block. */
  int leftOutBytes(String hfileName, long offset) {
    Run run = current.get();
    return run != null && run.hfileName.equals(hfileName) && run.leftOutOffset == offset
        ? run.leftOutBytes
        : 0;
  }

  /** Notes that a block of the calling thread's prefetch is cached, now or from before. */
  void cached(String hfileName) {
    Run run = run(hfileName);
    run.reads = true;
    run.cachedBlocks++;
    run.debt = Math.max(0, run.debt - 1);
  }

  /** Notes that a block which the calling thread fetched was not taken. */
  void refused(String hfileName) {
    wasted(hfileName).outOfRoom = true;
  }

  /**
   * Notes that such a block is longer than any that is taken, which says nothing of other files.
   */
  void tooLong(String hfileName) {
    Run unused = wasted(hfileName);
  }

  private Run wasted(String hfileName) {
    Run run = run(hfileName);
    run.reads = true;
    run.wasted = true;
    run.debt += CACHED_FOR_ONE_WASTED;
    return run;
  }

  /** Returns the file that the calling thread prefetches; null if that is not known. */
  @Nullable String current() {
    Run run = current.get();
    return run == null ? null : run.hfileName;
  }

  /**
   * Returns whether the calling thread's prefetch has wasted too much. HBase ends it then, unless
   * it is of an IN_MEMORY family: those it does not ask about.
   */
  boolean isOverdrawn(String hfileName) {
    return run(hfileName).debt > MOST_DEBT;
  }

  private Run run(String hfileName) {
    Run run = current.get();
    if (run == null || !run.hfileName.equals(hfileName)) {
      run = new Run(hfileName);
      current.set(run);
    }
    run.interrupted |= Thread.currentThread().isInterrupted();
    return run;
  }

  /** Returns whether the calling thread's prefetch is worth continuing with. */
  boolean goesOn() {
    Run run = current.get();
    if (run == null) {
      return true;
    }
    run.interrupted |= Thread.currentThread().isInterrupted();
    if (run.debt == 0) {
      return true;
    }
    if (!isOpen()) {
      current.remove();
      return false;
    }
    if (run.debt <= MOST_DEBT) {
      return true;
    }
    if (run.outOfRoom) {
      endedNanos = nanoTime.getAsLong();
    }
    current.remove();
    return false;
  }

  /** Returns whether another prefetch may begin. */
  boolean isOpen() {
    Long ended = endedNanos;
    if (ended == null) {
      return true;
    }
    if (nanoTime.getAsLong() - ended < PAUSE_NANOS) {
      return false;
    }
    endedNanos = null;
    return true;
  }

  /**
   * Ends the calling thread's prefetch.
   *
   * @return how many blocks of the file it left in the cache; 0 if one of them was not taken, or if
   *     it was interrupted
   */
  int completed(String hfileName) {
    Run run = current.get();
    current.remove();
    boolean whole =
        run != null && run.hfileName.equals(hfileName) && !run.wasted && !run.interrupted;
    return whole ? run.cachedBlocks : 0;
  }
}
