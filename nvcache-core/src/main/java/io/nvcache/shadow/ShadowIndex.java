// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.eviction.SlotMarks;
import java.util.OptionalInt;

/**
 * The slots of a miniature, in rows of eight of which each key has two, as in the real index: what
 * policies know of rows holds here as well. Used by one thread.
 */
final class ShadowIndex implements SlotMarks {
  static final int ROW_SLOTS = 8;

  private static final long EMPTY = 0;
  private static final int LEAST_ROWS = 2;

  /** The load of the real index when the blocks are as long as expected. */
  private static final double LOAD = 0.87;

  private final int rows;
  private final long[] keys;
  private final long[] fileIds;
  private final int[] lengths;
  private final byte[] marks;

  ShadowIndex(long expectedBlocks) {
    long wanted = (long) Math.ceil(expectedBlocks / LOAD / ROW_SLOTS);
    this.rows = (int) Math.max(LEAST_ROWS, Math.min(wanted, Integer.MAX_VALUE / 2 / ROW_SLOTS));
    int slots = rows * ROW_SLOTS;
    this.keys = new long[slots];
    this.fileIds = new long[slots];
    this.lengths = new int[slots];
    this.marks = new byte[slots];
  }

  int slots() {
    return keys.length;
  }

  /** Returns a key's identity: another hash than the sample's, and never 0. */
  static long key(long fileId, long offset) {
    long h = fileId * 0xff51afd7ed558ccdL + offset;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    h = (h ^ (h >>> 29)) * 0xff51afd7ed558ccdL;
    h ^= h >>> 32;
    return h == EMPTY ? 1 : h;
  }

  private int row(long key, boolean second) {
    int half = second ? (int) (key >>> Integer.SIZE) : (int) key;
    return (int) ((Integer.toUnsignedLong(half * 0x9e3779b9) * rows) >>> Integer.SIZE);
  }

  /** Returns the first slot of the row where a key is looked for first. */
  int home(long key) {
    return row(key, false) * ROW_SLOTS;
  }

  /** One of the sixteen slots that a key may lie in. */
  int candidate(long key, int i) {
    return row(key, i >= ROW_SLOTS) * ROW_SLOTS + i % ROW_SLOTS;
  }

  /** Returns the slot that a key is in. */
  OptionalInt find(long key) {
    return search(key, key);
  }

  /** Returns a free slot for a key. */
  OptionalInt free(long key) {
    return search(key, EMPTY);
  }

  private OptionalInt search(long key, long content) {
    for (int i = 0; i < 2 * ROW_SLOTS; i++) {
      int slot = candidate(key, i);
      if (keys[slot] == content) {
        return OptionalInt.of(slot);
      }
    }
    return OptionalInt.empty();
  }

  void put(int slot, long key, long fileId, int lengthBytes) {
    keys[slot] = key;
    fileIds[slot] = fileId;
    lengths[slot] = lengthBytes;
  }

  void clear(int slot) {
    keys[slot] = EMPTY;
  }

  boolean holds(int slot) {
    return slot >= 0 && slot < keys.length && keys[slot] != EMPTY;
  }

  boolean holdsOf(int slot, long fileId) {
    return keys[slot] != EMPTY && fileIds[slot] == fileId;
  }

  int lengthBytes(int slot) {
    return lengths[slot];
  }

  @Override
  public int get(int slot) {
    return marks[slot] & 0xff;
  }

  @Override
  public void set(int slot, int mark) {
    marks[slot] = (byte) mark;
  }
}
