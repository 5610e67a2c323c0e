// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

/**
 * One byte per slot, kept in the cache line that a hit reads anyway; the eviction policy may use.
 * Plain, racy accesses. The engine never looks at it; an emptied slot keeps its last mark until the
 * policy changes it. All marks start at 0.
 *
 * <p>The marks end with the cache, once the policy's {@link EvictionPolicy#close} has returned:
 * afterwards each method throws {@link IllegalStateException}. A thread of the policy's own that
 * uses them must have ended by that time: an access that overlaps with their end may end the JVM. A
 * slot that is not there is an {@link IndexOutOfBoundsException}.
 */
public interface SlotMarks {
  /** The slots that {@link #row} covers. */
  int ROW_SLOTS = 8;

  /** Returns the slot's mark, 0 to 255. */
  int get(int slot);

  /**
   * Returns the marks of a row of {@value #ROW_SLOTS} slots that are all there, in one read where
   * they lie together.
   *
   * @param first the row's first slot, a multiple of {@value #ROW_SLOTS}
   * @return the first slot's mark in the lowest byte, the last one's in the highest
   */
  default long row(int first) {
    long row = 0;
    for (int i = 0; i < ROW_SLOTS; i++) {
      row |= (long) get(first + i) << (i * Byte.SIZE);
    }
    return row;
  }

  /** Sets the slot's mark to the low eight bits of {@code mark}. */
  void set(int slot, int mark);
}
