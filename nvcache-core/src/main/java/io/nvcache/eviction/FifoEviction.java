// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import io.nvcache.memory.Claims;
import io.nvcache.memory.OffHeapBytes;

/**
 * First in, first out, exactly: a doubly linked list of the occupied slots, oldest first, off the
 * heap.
 *
 * <pre>
 *   record of a slot, 8 bytes:
 *   0         4         8
 *   ├─────────┼─────────┤   each the number of a record plus one, so that
 *   │  next   │  prev   │   zeroed memory means "not in the list"
 *   └─────────┴─────────┘
 * </pre>
 *
 * <p>Record {@code slots} closes the list to a ring: its next is the oldest block and its previous
 * the newest.
 *
 * <p><b>Guarantees.</b> The links are read and written under one lock, held for a few memory
 * accesses and never while calling out. Hits are ignored.
 */
public final class FifoEviction implements EvictionPolicy {
  private static final int NEXT_OFFSET = 0;
  private static final int PREV_OFFSET = NEXT_OFFSET + Integer.BYTES;
  private static final int RECORD_BYTES = PREV_OFFSET + Integer.BYTES;
  private static final int ALIGNMENT_BYTES = 64;

  private final Object lock = new Object();
  private final OffHeapBytes records;
  private final int ring;

  public FifoEviction(EvictionContext context) {
    this.ring = context.slots();
    this.records = OffHeapBytes.zeroed((ring + 1L) * RECORD_BYTES, ALIGNMENT_BYTES);
    link(ring, ring);
  }

  @Override
  public void onAdmit(int slot) {
    synchronized (lock) {
      unlink(slot);
      append(slot);
    }
  }

  @Override
  public void onHit(int slot) {}

  @Override
  public void onRemove(int slot) {
    synchronized (lock) {
      unlink(slot);
    }
  }

  /**
   * Returns the oldest block, which goes to the end of the list at once: threads that ask at the
   * same moment get different blocks, and one that can't be evicted now does not block the others.
   */
  @Override
  public int victim() {
    synchronized (lock) {
      int oldest = next(ring);
      if (oldest == ring) {
        return NO_VICTIM;
      }
      unlink(oldest);
      append(oldest);
      return oldest;
    }
  }

  @Override
  public void sweep(Sweep sweep) {}

  @Override
  public long metadataBytes() {
    return records.sizeBytes();
  }

  @Override
  public void close() {
    Claims.requireNotHeld(this);
    records.close();
  }

  private void append(int record) {
    int newest = prev(ring);
    link(newest, record);
    link(record, ring);
  }

  private void unlink(int record) {
    if (isInList(record)) {
      link(prev(record), next(record));
      records.putLong(at(record), 0);
    }
  }

  /** Links are one more than the record that they lead to: of zeros, none is in the list. */
  private boolean isInList(int record) {
    return records.getInt(at(record) + NEXT_OFFSET) != 0;
  }

  private void link(int before, int after) {
    records.putInt(at(before) + NEXT_OFFSET, after + 1);
    records.putInt(at(after) + PREV_OFFSET, before + 1);
  }

  private int next(int record) {
    return records.getInt(at(record) + NEXT_OFFSET) - 1;
  }

  private int prev(int record) {
    return records.getInt(at(record) + PREV_OFFSET) - 1;
  }

  private static long at(int record) {
    return (long) record * RECORD_BYTES;
  }
}
