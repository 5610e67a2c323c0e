// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.memory.OffHeapBytes;

/**
 * Tells whether a block was missed a short while ago, half a capacity of lookups: one that comes
 * back so soon is more than its count says.
 *
 * <pre>
 *   a byte for each block of capacity:  7..4 time in eighths of a capacity    3..0 fingerprint + 1
 * </pre>
 *
 * <p>A block has two bytes side by side, of which it takes the older. <b>Guarantees.</b> No lock;
 * plain accesses to bytes. Of blocks that were missed, about one in ten is forgotten early; of
 * others, about one in six is taken for one of them where all lookups miss, fewer elsewhere.
 */
final class RecentMisses implements AutoCloseable {
  private static final int STEPS_PER_CAPACITY = 8;
  private static final int RECENT_STEPS = 4;
  private static final int STEPS = 16;
  private static final int FINGERPRINTS = 15;
  private static final int TIME_SHIFT = 4;
  private static final int LEAST_PAIRS = 32;

  private final OffHeapBytes cells;
  private final long pairs;
  private final double stepsPerLookup;

  RecentMisses(long capacityBlocks) {
    this.pairs = Math.max(LEAST_PAIRS, capacityBlocks / 2);
    this.cells = OffHeapBytes.zeroed(2 * pairs, Long.BYTES);
    this.stepsPerLookup = (double) STEPS_PER_CAPACITY / Math.max(1, capacityBlocks);
  }

  /** Notes a miss, and returns whether there was one of the same block a short while ago. */
  boolean add(long hash, long now) {
    int time = (int) (long) (now * stepsPerLookup) & (STEPS - 1);
    int print = 1 + (int) Long.remainderUnsigned(hash, FINGERPRINTS);
    long first = 2 * Math.multiplyHigh(DemandSketch.mix(hash) >>> 1, pairs << 1);
    int one = cells.getByte(first) & 0xFF;
    int other = cells.getByte(first + 1) & 0xFF;
    boolean isFirst = isOf(one, print);
    boolean isSecond = isOf(other, print);
    boolean recent = isFirst && age(one, time) <= RECENT_STEPS;
    recent |= isSecond && age(other, time) <= RECENT_STEPS;
    boolean takesFirst = isFirst || (!isSecond && age(one, time) >= age(other, time));
    cells.putByte(takesFirst ? first : first + 1, (byte) (time << TIME_SHIFT | print));
    return recent;
  }

  private static boolean isOf(int cell, int print) {
    return (cell & (STEPS - 1)) == print;
  }

  private static int age(int cell, int time) {
    return cell == 0 ? STEPS : (time - (cell >>> TIME_SHIFT)) & (STEPS - 1);
  }

  long sizeBytes() {
    return cells.sizeBytes();
  }

  @Override
  public void close() {
    cells.close();
  }
}
