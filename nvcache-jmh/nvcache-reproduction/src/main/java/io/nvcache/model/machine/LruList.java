// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import java.util.Arrays;

/**
 * A bounded set of small numbers in the order of their last use; each has a slot as long as it is
 * in the set.
 */
public final class LruList {
  public static final int NONE = -1;
  private static final int FIRST_IDS = 1024;

  private final int capacity;
  private int[] ids;
  private int[] older;
  private int[] newer;
  private int[] slots = new int[FIRST_IDS];
  private int oldest = NONE;
  private int newest = NONE;
  private int free;
  private int unused;
  private int size;

  public LruList(int capacity) {
    this.capacity = capacity;
    int first = Math.max(1, Math.min(capacity, FIRST_IDS));
    this.ids = new int[first];
    this.older = new int[first];
    this.newer = new int[first];
    this.free = NONE;
    Arrays.fill(slots, NONE);
  }

  public int capacity() {
    return capacity;
  }

  public int size() {
    return size;
  }

  public boolean isFull() {
    return size == capacity;
  }

  /** The slot of an id, or {@link #NONE}. */
  public int find(int id) {
    return id < slots.length ? slots[id] : NONE;
  }

  /** The id used the longest ago, or {@link #NONE}. */
  public int oldest() {
    return oldest == NONE ? NONE : ids[oldest];
  }

  /** The next one, in the order of use, or {@link #NONE}. */
  public int newerThan(int id) {
    int next = newer[slots[id]];
    return next == NONE ? NONE : ids[next];
  }

  /** Marks as used now. */
  public void touch(int slot) {
    if (slot != newest) {
      unlink(slot);
      link(slot);
    }
  }

  /** Puts an id in that is not there, replacing the oldest if it must; returns its slot. */
  public int add(int id) {
    if (capacity == 0) {
      return NONE;
    }
    if (size == capacity) {
      remove(oldest());
    }
    int slot = free;
    if (slot == NONE) {
      slot = unused++;
      growTo(unused);
    } else {
      free = newer[slot];
    }
    if (id >= slots.length) {
      int before = slots.length;
      slots = Arrays.copyOf(slots, Math.max(id + 1, 2 * before));
      Arrays.fill(slots, before, slots.length, NONE);
    }
    ids[slot] = id;
    slots[id] = slot;
    link(slot);
    size++;
    return slot;
  }

  /** A capacity may be far more than there will ever be. */
  private void growTo(int used) {
    if (used > ids.length) {
      int length = (int) Math.min(capacity, 2L * ids.length);
      ids = Arrays.copyOf(ids, length);
      older = Arrays.copyOf(older, length);
      newer = Arrays.copyOf(newer, length);
    }
  }

  /** Takes an id out if it is there. */
  public void remove(int id) {
    int slot = find(id);
    if (slot == NONE) {
      return;
    }
    unlink(slot);
    slots[id] = NONE;
    newer[slot] = free;
    free = slot;
    size--;
  }

  private void link(int slot) {
    older[slot] = newest;
    newer[slot] = NONE;
    if (newest == NONE) {
      oldest = slot;
    } else {
      newer[newest] = slot;
    }
    newest = slot;
  }

  private void unlink(int slot) {
    if (older[slot] == NONE) {
      oldest = newer[slot];
    } else {
      newer[older[slot]] = newer[slot];
    }
    if (newer[slot] == NONE) {
      newest = older[slot];
    } else {
      older[newer[slot]] = older[slot];
    }
  }
}
