// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The small numbers that a {@link FileTable} gives file segments: how many blocks each counts,
 * whether it was dropped, which segment has it, and which numbers are free.
 *
 * <p><b>Locking.</b> Counting and reading take no lock. Methods that take, hold or give back
 * numbers are called under the table's lock.
 *
 * <pre>
 *   state:  | blocks in the index (31) : dropped (1) |
 * </pre>
 */
final class FileNumbers {
  static final int DROPPED_BIT = 1;
  static final int ONE_BLOCK = 2;

  private static final int CHUNK_SHIFT = 10;
  private static final int CHUNK = 1 << CHUNK_SHIFT;

  private final int maxNumber;

  /**
   * Chunks stay where they are, so that readers need no lock. Behind them there is room for more,
   * so that the array is not copied for each.
   */
  private volatile @Nullable Chunk[] chunks = {new Chunk()};

  /** The number of chunks; written after them. */
  private volatile int chunkCount = 1;

  /** Numbers that can be given again. */
  private int[] free = new int[CHUNK];

  private int freeCount;
  private int next = 1;

  /** Numbers below the next one that are given only to a caller that asks for them by value. */
  private final BitSet held = new BitSet();

  /** What is known of some numbers. */
  private static final class Chunk {
    final AtomicIntegerArray states = new AtomicIntegerArray(CHUNK);
    final AtomicLongArray fileIds = new AtomicLongArray(CHUNK);
    final AtomicIntegerArray segments = new AtomicIntegerArray(CHUNK);
  }

  FileNumbers(int maxNumber) {
    this.maxNumber = maxNumber;
  }

  /** Returns a number that no segment has; {@link FileTable#NONE} if all are taken. */
  int take() {
    if (freeCount > 0) {
      int number = free[--freeCount];
      chunk(number).states.set(inChunk(number), 0);
      return number;
    }
    if (next > maxNumber) {
      return FileTable.NONE;
    }
    if (next >>> CHUNK_SHIFT == chunkCount) {
      grow(chunkCount + 1);
    }
    return next++;
  }

  void giveBack(int number) {
    free[freeCount++] = number;
  }

  boolean hasFree() {
    return freeCount > 0;
  }

  int free() {
    return freeCount;
  }

  /** Returns the number that is given when none can be given again. */
  int next() {
    return next;
  }

  /** Returns whether there are numbers that were never given. */
  boolean hasNext() {
    return next <= maxNumber;
  }

  /** Keeps the numbers below one for {@link #takeHeld}. */
  void hold(int below) {
    if (below <= 1 || below > maxNumber) {
      return;
    }
    int needed = (below >>> CHUNK_SHIFT) + 1;
    if (needed > chunkCount) {
      grow(needed);
    }
    held.set(1, below);
    next = below;
  }

  /** Takes a number that is held; false if it is not. */
  boolean takeHeld(int number) {
    if (number <= 0 || !held.get(number)) {
      return false;
    }
    held.clear(number);
    return true;
  }

  /** Frees the numbers that are still held. */
  void endHolding() {
    held.stream().forEach(this::giveBack);
    held.clear();
  }

  /**
   * Takes all the memory that giving numbers back will need: releasing a block must not fail. Both
   * arrays grow by half, so that they are not copied for each chunk.
   */
  private void grow(int length) {
    @Nullable Chunk[] more = chunks;
    if (more.length < length) {
      more = Arrays.copyOf(more, Math.max(length, more.length + more.length / 2));
    }
    for (int i = chunkCount; i < length; i++) {
      more[i] = new Chunk();
    }
    if (free.length < length * CHUNK) {
      long half = Math.min(free.length * 3L / 2, maxNumber + 1L);
      free = Arrays.copyOf(free, Math.max(length * CHUNK, (int) half));
    }
    chunks = more;
    chunkCount = length; // After the chunks: who sees it sees them.
  }

  /** Notes which segment has a number. Readers must ask the table whether it still has. */
  void own(int number, long fileId, int segment) {
    Chunk chunk = chunk(number);
    chunk.fileIds.set(inChunk(number), fileId);
    chunk.segments.set(inChunk(number), segment);
  }

  /** Returns the last file that had a number. */
  long fileId(int number) {
    return chunk(number).fileIds.get(inChunk(number));
  }

  /** Returns the segment of the last file that had a number. */
  int segment(int number) {
    return chunk(number).segments.get(inChunk(number));
  }

  /** Returns whether a number is one that could have been given. */
  boolean isKnown(int number) {
    return number > 0 && number >>> CHUNK_SHIFT < chunkCount;
  }

  /** Counts one more block; false if the number was dropped. Then nothing was counted. */
  boolean count(int number) {
    AtomicIntegerArray states = chunk(number).states;
    int i = inChunk(number);
    while (true) {
      int state = states.get(i);
      if ((state & DROPPED_BIT) != 0) {
        return false;
      }
      if (states.compareAndSet(i, state, state + ONE_BLOCK)) {
        return true;
      }
    }
  }

  /** Returns the state after one block less. */
  int uncount(int number) {
    return chunk(number).states.addAndGet(inChunk(number), -ONE_BLOCK);
  }

  /** Marks a number as dropped, and returns the state before. */
  int drop(int number) {
    return chunk(number).states.getAndAdd(inChunk(number), DROPPED_BIT);
  }

  /** Marks a number without blocks as dropped; false if it has some. */
  boolean dropIfIdle(int number) {
    return chunk(number).states.compareAndSet(inChunk(number), 0, DROPPED_BIT);
  }

  boolean isDropped(int number) {
    return isKnown(number) && (state(number) & DROPPED_BIT) != 0;
  }

  int blocks(int number) {
    return isKnown(number) ? state(number) / ONE_BLOCK : 0;
  }

  private int state(int number) {
    return chunk(number).states.get(inChunk(number));
  }

  /** Returns how many blocks all numbers count. */
  long blocks() {
    long blocks = 0;
    for (int number = 0; number < chunkCount << CHUNK_SHIFT; number++) {
      blocks += chunk(number).states.getPlain(inChunk(number)) / ONE_BLOCK;
    }
    return blocks;
  }

  long metadataBytes() {
    return chunkCount * (long) CHUNK * (2 * Integer.BYTES + Long.BYTES)
        + free.length * (long) Integer.BYTES;
  }

  @SuppressWarnings("NullAway") // A number that was given has a chunk.
  private Chunk chunk(int number) {
    return chunks[number >>> CHUNK_SHIFT];
  }

  private static int inChunk(int number) {
    return number & (CHUNK - 1);
  }
}
