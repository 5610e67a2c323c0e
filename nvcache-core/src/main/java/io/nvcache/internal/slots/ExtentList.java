// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import org.jspecify.annotations.Nullable;

/**
 * Extents of one size class in a row, linked through themselves: putting one in needs no memory, so
 * it can't fail halfway; taking one out of the middle is a few steps; and walking makes no garbage.
 *
 * <p><b>Invariants.</b> An extent is in one list at most. Guarded by the {@link SlabAllocator}'s
 * lock.
 */
final class ExtentList {
  private @Nullable Extent first;
  private @Nullable Extent last;

  boolean isEmpty() {
    return first == null;
  }

  /** Returns the first one; its {@link Extent#next} leads on. */
  @Nullable Extent first() {
    return first;
  }

  /** Returns whether there is more than one. */
  boolean hasSeveral() {
    return first != last;
  }

  void addFirst(Extent extent) {
    extent.next = first;
    if (first == null) {
      last = extent;
    } else {
      first.previous = extent;
    }
    first = extent;
  }

  void addLast(Extent extent) {
    extent.previous = last;
    if (last == null) {
      first = extent;
    } else {
      last.next = extent;
    }
    last = extent;
  }

  /** Does nothing if it is not there. */
  void remove(Extent extent) {
    Extent previous = extent.previous;
    Extent next = extent.next;
    if (previous == null && first != extent) {
      return;
    }
    if (previous == null) {
      first = next;
    } else {
      previous.next = next;
    }
    if (next == null) {
      last = previous;
    } else {
      next.previous = previous;
    }
    extent.previous = null;
    extent.next = null;
  }
}
