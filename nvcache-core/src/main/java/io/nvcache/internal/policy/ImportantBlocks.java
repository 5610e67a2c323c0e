// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import io.nvcache.control.Settings;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which slots have {@linkplain io.nvcache.BlockRank#IMPORTANT important} blocks, and
 * keeps them within their share of the cache: past it, the oldest of four generations becomes
 * ordinary.
 *
 * <pre>
 *   a slot's mark:  | generation (2) | length (6) |     0: an ordinary block, or none
 * </pre>
 *
 * <p>Lengths are rounded up to 1/63 of the longest block's, so that the share holds. A byte a slot,
 * from the first important block on.
 *
 * <p><b>Threads.</b> A slot is marked and cleared inside its bucket's lock; a generation that ends
 * clears slots without, so marks change by compare-and-set. Offers that run at the same moment may
 * exceed the share by their blocks; the next one ends a generation.
 */
public final class ImportantBlocks {
  private static final int GENERATIONS = 4;
  private static final int LENGTH_BITS = 6;
  private static final int MOST_UNITS = (1 << LENGTH_BITS) - 1;
  private static final byte NONE = 0;
  private static final VarHandle MARKS = MethodHandles.arrayElementVarHandle(byte[].class);

  private final Settings settings;
  private final StripedCounters counters;
  private final int slots;
  private final long capacityBytes;
  private final int unitBytes;
  private final AtomicLongArray units = new AtomicLongArray(GENERATIONS);
  private volatile byte @Nullable [] marks;
  private volatile int current;

  public ImportantBlocks(
      Settings settings,
      StripedCounters counters,
      int slots,
      long capacityBytes,
      int maxBlockBytes) {
    this.settings = settings;
    this.counters = counters;
    this.slots = slots;
    this.capacityBytes = capacityBytes;
    this.unitBytes = (maxBlockBytes + MOST_UNITS - 1) / MOST_UNITS;
  }

  private int unitsOf(int lengthBytes) {
    return Math.min(MOST_UNITS, (lengthBytes + unitBytes - 1) / unitBytes);
  }

  private long mostUnits() {
    return (long) (settings.importantShare() * capacityBytes) / unitBytes;
  }

  private long allUnits() {
    long all = 0;
    for (int i = 0; i < GENERATIONS; i++) {
      all += units.get(i);
    }
    return all;
  }

  /**
   * Returns whether a block may be important, and makes room for it in the share. Takes time where
   * a generation ends, once for a quarter of the share; so not inside a lock of the index.
   */
  public boolean accepts(int lengthBytes) {
    long most = mostUnits();
    int wanted = unitsOf(lengthBytes);
    if (wanted > most) {
      return false;
    }
    if (marks == null || allUnits() + wanted > most || units.get(current) > most / GENERATIONS) {
      makeRoom(most, wanted);
    }
    return marks != null;
  }

  private synchronized void makeRoom(long most, int wanted) {
    if (marks == null) {
      try {
        marks = new byte[slots];
      } catch (OutOfMemoryError noRoom) {
        return; // All blocks are ordinary.
      }
    }
    if (units.get(current) > most / GENERATIONS) {
      int next = (current + 1) % GENERATIONS;
      end(next);
      current = next;
    }
    for (int age = GENERATIONS - 1; age >= 0 && allUnits() + wanted > most; age--) {
      end((current + GENERATIONS - age) % GENERATIONS);
    }
  }

  /** Makes the blocks of a generation ordinary. */
  private void end(int generation) {
    byte[] all = marks;
    if (all == null || units.get(generation) == 0) {
      return;
    }
    long ended = 0;
    for (int slot = 0; slot < all.length; slot++) {
      byte mark = all[slot];
      if (mark != NONE && generation(mark) == generation && clear(all, slot, mark)) {
        ended++;
      }
    }
    counters.add(counters.stripe(), Counter.IMPORTANT_DEMOTED, ended);
  }

  private static int generation(byte mark) {
    return Byte.toUnsignedInt(mark) >>> LENGTH_BITS;
  }

  private boolean clear(byte[] all, int slot, byte mark) {
    if (!MARKS.compareAndSet(all, slot, mark, NONE)) {
      return false;
    }
    count(generation(mark), -(mark & MOST_UNITS));
    return true;
  }

  private void count(int generation, int more) {
    units.addAndGet(generation, more);
    counters.add(counters.stripe(), Counter.IMPORTANT_BYTES, (long) more * unitBytes);
  }

  /** Marks the block that is put into a slot. */
  public void mark(int slot, int lengthBytes) {
    byte[] all = marks;
    if (all == null) {
      return;
    }
    int generation = current;
    int length = unitsOf(lengthBytes);
    if (MARKS.compareAndSet(all, slot, NONE, (byte) (generation << LENGTH_BITS | length))) {
      count(generation, length);
    }
  }

  /** The block in a slot goes. */
  void removed(int slot) {
    byte[] all = marks;
    if (all == null) {
      return;
    }
    for (byte mark = (byte) MARKS.getVolatile(all, slot);
        mark != NONE && !clear(all, slot, mark);
        mark = (byte) MARKS.getVolatile(all, slot)) {
      // A generation ends at this moment.
    }
  }

  /** Returns whether eviction is to pass over the block in a slot. */
  public boolean isSpared(int slot) {
    byte[] all = marks;
    return all != null
        && slot >= 0
        && slot < all.length
        && (byte) MARKS.getOpaque(all, slot) != NONE
        && settings.importantShare() > 0;
  }

  /** Counts a victim that was passed over. */
  public void spared() {
    counters.add(counters.stripe(), Counter.IMPORTANT_SPARED, 1);
  }

  long metadataBytes() {
    return marks == null ? 0 : slots;
  }
}
