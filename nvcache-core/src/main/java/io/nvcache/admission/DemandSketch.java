// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.memory.OffHeapBytes;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts how often blocks were asked for that are not cached, without remembering the blocks: a
 * count-min sketch (G. Cormode and S. Muthukrishnan, J. Algorithms 2005) of four-bit counters that
 * are halved over time, as in TinyLFU (G. Einziger et al., ACM TOS 2017), with conservative update
 * (C. Estan and G. Varghese, SIGCOMM 2002).
 *
 * <pre>
 *   a line of 64 bytes: four rows of 32 counters
 *   0                16                32                48                64
 *   ├────────────────┼────────────────┼────────────────┼────────────────┤
 *   │ 32 x 4 bits    │ 32 x 4 bits    │ 32 x 4 bits    │ 32 x 4 bits    │
 *   └────────────────┴────────────────┴────────────────┴────────────────┘
 * </pre>
 *
 * <p>A block has one counter in each row of one line, so that an access costs one cache miss. There
 * are three lines for sixteen blocks of capacity: twelve bytes of DRAM each. Lines are halved in
 * turn, each once in {@value #CAPACITIES_PER_HALVING} capacities of lookups.
 *
 * <p><b>Guarantees.</b> No lock; plain accesses to aligned longs. A count may be lost to a race;
 * that, and collisions, is all that is wrong with an estimate.
 */
final class DemandSketch implements AutoCloseable {
  static final int MAX_COUNT = 15;
  static final int CAPACITIES_PER_HALVING = 10;

  private static final int LINE_BYTES = 64;
  private static final int BYTES_PER_BLOCK = 12;
  private static final int MIN_LINES = 16;
  private static final int ROWS = 4;
  private static final int ROW_BYTES = LINE_BYTES / ROWS;
  private static final int COUNTER_BITS = 4;
  private static final int COUNTERS_PER_WORD = Long.SIZE / COUNTER_BITS;

  /** Which of a row's counters: five bits of the hash for each row. */
  private static final int INDEX_BITS = 5;

  private static final long HALVED = 0x7777777777777777L;

  /** The most lines that are halved in one call; the next ones catch up. */
  private static final int MOST_HALVED_PER_CALL = 64;

  private final OffHeapBytes lines;
  private final long lineCount;
  private final double linesPerLookup;

  /** Lines halved so far. */
  private final AtomicLong halved = new AtomicLong();

  DemandSketch(long capacityBlocks) {
    this.lineCount = Math.max(MIN_LINES, capacityBlocks * BYTES_PER_BLOCK / LINE_BYTES);
    this.lines = OffHeapBytes.zeroed(lineCount * LINE_BYTES, LINE_BYTES);
    this.linesPerLookup =
        (double) lineCount / (CAPACITIES_PER_HALVING * Math.max(1, capacityBlocks));
  }

  /** Returns the finalizer of SplitMix64. */
  static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** About how often the block was asked for recently, 0 to {@link #MAX_COUNT}. */
  int count(long hash) {
    long line = line(hash);
    int least = MAX_COUNT;
    for (int row = 0; row < ROWS; row++) {
      int index = index(hash, row);
      long word = lines.getLong(line + wordOffset(row, index));
      least = Math.min(least, (int) (word >>> shift(index)) & MAX_COUNT);
    }
    return least;
  }

  /** Counts one more, and gives the count. Only the counters that tell the least have to grow. */
  int increment(long hash) {
    int before = count(hash);
    if (before == MAX_COUNT) {
      return before;
    }
    long line = line(hash);
    for (int row = 0; row < ROWS; row++) {
      int index = index(hash, row);
      long at = line + wordOffset(row, index);
      long word = lines.getLong(at);
      if (((word >>> shift(index)) & MAX_COUNT) == before) {
        lines.putLong(at, word + (1L << shift(index)));
      }
    }
    return before + 1;
  }

  /** Has the block count for at least so many lookups. */
  void raise(long hash, int count) {
    long line = line(hash);
    long least = Math.min(count, MAX_COUNT);
    for (int row = 0; row < ROWS; row++) {
      int index = index(hash, row);
      long at = line + wordOffset(row, index);
      long word = lines.getLong(at);
      long now = (word >>> shift(index)) & MAX_COUNT;
      if (now < least) {
        lines.putLong(at, word + ((least - now) << shift(index)));
      }
    }
  }

  /** Halves the lines that are due by now, in lookups. */
  void age(long lookups) {
    long due = (long) (lookups * linesPerLookup);
    long from = halved.get();
    if (due - from > lineCount) {
      halved.compareAndSet(from, due - lineCount); // More than a whole round behind: skip the rest.
      from = due - lineCount;
    }
    long to = Math.min(due, from + MOST_HALVED_PER_CALL);
    if (to > from && halved.compareAndSet(from, to)) {
      for (long turn = from; turn < to; turn++) {
        halve(turn % lineCount * LINE_BYTES);
      }
    }
  }

  private void halve(long line) {
    for (int offset = 0; offset < LINE_BYTES; offset += Long.BYTES) {
      lines.putLong(line + offset, (lines.getLong(line + offset) >>> 1) & HALVED);
    }
  }

  long sizeBytes() {
    return lines.sizeBytes();
  }

  @Override
  public void close() {
    lines.close();
  }

  /** Returns the line by the high bits of the hash; the counters use the low ones. */
  private long line(long hash) {
    return Math.multiplyHigh(hash >>> 1, lineCount << 1) * LINE_BYTES;
  }

  private static int index(long hash, int row) {
    return (int) (hash >>> (row * INDEX_BITS)) & ((1 << INDEX_BITS) - 1);
  }

  private static long wordOffset(int row, int index) {
    return (long) row * ROW_BYTES + (long) (index / COUNTERS_PER_WORD) * Long.BYTES;
  }

  private static int shift(int index) {
    return index % COUNTERS_PER_WORD * COUNTER_BITS;
  }
}
