// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import java.util.Arrays;

/**
 * A doubly linked list of slots, first to last, each in it at most once. The entry behind the slots
 * closes it to a ring. Not thread-safe.
 */
final class SlotQueue {
  /** What {@link #last} and {@link #before} return at the end. */
  static final int NONE = -1;

  private final int ring;
  private final int[] next;
  private final int[] previous;

  /** The turn at which each slot was put first. */
  private final int[] turns;

  private int turn;
  private int size;

  SlotQueue(int slots) {
    this.ring = slots;
    this.next = new int[slots + 1];
    this.previous = new int[slots + 1];
    this.turns = new int[slots];
    Arrays.fill(next, NONE);
    next[ring] = ring;
    previous[ring] = ring;
  }

  boolean contains(int slot) {
    return next[slot] != NONE;
  }

  int size() {
    return size;
  }

  /** Puts a slot first, wherever it is now. */
  void putFirst(int slot) {
    remove(slot);
    next[slot] = next[ring];
    previous[slot] = ring;
    previous[next[ring]] = slot;
    next[ring] = slot;
    turns[slot] = turn++;
    size++;
  }

  /** Takes a slot out; false if it is not in. */
  boolean remove(int slot) {
    if (!contains(slot)) {
      return false;
    }
    next[previous[slot]] = next[slot];
    previous[next[slot]] = previous[slot];
    next[slot] = NONE;
    size--;
    return true;
  }

  int last() {
    return before(ring);
  }

  /** The neighbour on the side of the first. */
  int before(int slot) {
    return previous[slot] == ring ? NONE : previous[slot];
  }

  /** Orders slots that are in, the last of them lowest, until 2<sup>31</sup> were put first. */
  int order(int slot) {
    return turns[slot];
  }

  long metadataBytes() {
    return (2L * next.length + turns.length) * Integer.BYTES;
  }
}
