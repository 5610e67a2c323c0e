// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Carries the events of sampled keys from the threads that make them to the one that reads them,
 * and drops what does not fit: a lookup never waits for its shadow.
 *
 * <p>There is a ring for each counter stripe. The thread that owns the stripe is its ring's only
 * writer, and takes no lock and no locked instruction; threads that share a stripe take turns, and
 * a thread that comes at the wrong moment drops its event.
 *
 * <pre>
 *   | tail, dropped, busy, lost, pad | head, pad | event 0: fileId, offset, meta | event 1 | ...
 *   | 128 B, writer's                | 128 B, reader's |
 * </pre>
 */
final class EventRings {
  /** Takes one event. */
  @FunctionalInterface
  interface Reader {
    void read(long fileId, long offset, long meta);
  }

  static final int EVENTS = 256;

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int WORDS = 3;
  private static final int TAIL = 0;
  private static final int DROPPED = 1;
  private static final int BUSY = 2;
  private static final int LOST = 3;
  private static final int HEAD = 16;
  private static final int HEADER = 32;
  private static final int RING_CELLS = HEADER + EVENTS * WORDS;

  private final long[] cells;
  private final int rings;

  EventRings(int rings) {
    this.rings = rings;
    this.cells = new long[rings * RING_CELLS];
  }

  /** Writes to a ring that the calling thread owns; true if that made it half full. */
  boolean write(int ring, long fileId, long offset, long meta) {
    int base = ring * RING_CELLS;
    long tail = cells[base + TAIL];
    long head = (long) CELLS.getAcquire(cells, base + HEAD);
    if (tail - head >= EVENTS) {
      cells[base + DROPPED]++;
      return false;
    }
    int at = base + HEADER + (int) (tail & (EVENTS - 1)) * WORDS;
    cells[at] = fileId;
    cells[at + 1] = offset;
    cells[at + 2] = meta;
    CELLS.setRelease(cells, base + TAIL, tail + 1);
    return tail + 1 - head == EVENTS / 2;
  }

  /** Writes to a ring that other threads write to as well. */
  boolean writeShared(int ring, long fileId, long offset, long meta) {
    int base = ring * RING_CELLS;
    if (!CELLS.compareAndSet(cells, base + BUSY, 0L, 1L)) {
      long unused = (long) CELLS.getAndAdd(cells, base + LOST, 1L);
      return false;
    }
    boolean halfFull = write(ring, fileId, offset, meta);
    CELLS.setRelease(cells, base + BUSY, 0L);
    return halfFull;
  }

  /** Reads what there is. One thread at a time. */
  void drainTo(Reader reader) {
    for (int base = 0; base < rings * RING_CELLS; base += RING_CELLS) {
      long tail = (long) CELLS.getAcquire(cells, base + TAIL);
      long head = cells[base + HEAD];
      while (head < tail) {
        int at = base + HEADER + (int) (head & (EVENTS - 1)) * WORDS;
        reader.read(cells[at], cells[at + 1], cells[at + 2]);
        head++;
        CELLS.setRelease(cells, base + HEAD, head);
      }
    }
  }

  /** Returns how many events found no room, or another thread at its ring. */
  long dropped() {
    long dropped = 0;
    for (int base = 0; base < rings * RING_CELLS; base += RING_CELLS) {
      dropped += (long) CELLS.getVolatile(cells, base + DROPPED);
      dropped += (long) CELLS.getVolatile(cells, base + LOST);
    }
    return dropped;
  }
}
