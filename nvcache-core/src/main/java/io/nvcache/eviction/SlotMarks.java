// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

/**
 * One byte per slot, kept in the cache line that a hit reads anyway, for the eviction policy to
 * use. Plain, racy accesses. The engine never looks at it; an emptied slot keeps its last mark
 * until the policy changes it. All marks start at 0.
 */
public interface SlotMarks {
  /** The slot's mark, 0 to 255. */
  int get(int slot);

  /** Sets the slot's mark to the low eight bits of {@code mark}. */
  void set(int slot, int mark);
}
