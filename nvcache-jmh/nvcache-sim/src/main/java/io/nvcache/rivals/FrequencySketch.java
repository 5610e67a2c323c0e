// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

/**
 * Counts how often names were seen lately, in little memory: a count-min sketch of four rows with
 * counters up to 15, all halved when ten times the cache's blocks have been counted (G. Einziger et
 * al., "TinyLFU: A Highly Efficient Cache Admission Policy", TOS 2017). Not thread-safe.
 */
final class FrequencySketch {
  private static final int ROWS = 4;
  private static final int COUNTERS_PER_BLOCK = 8;
  private static final int SAMPLE_PER_BLOCK = 10;
  private static final int MAX_COUNT = 15;
  private static final long MAX_COUNTERS = 1 << 28;

  private final byte[] counters;
  private final int rowMask;
  private final long sample;
  private long counted;

  FrequencySketch(long capacityBlocks) {
    long wanted = Math.min(MAX_COUNTERS, Math.max(64, COUNTERS_PER_BLOCK * capacityBlocks));
    int row = (int) Long.highestOneBit(2 * wanted / ROWS - 1);
    this.rowMask = row - 1;
    this.counters = new byte[ROWS * row];
    this.sample = SAMPLE_PER_BLOCK * capacityBlocks;
  }

  void count(long name) {
    for (int row = 0; row < ROWS; row++) {
      int at = at(name, row);
      counters[at] = (byte) Math.min(MAX_COUNT, counters[at] + 1);
    }
    if (++counted >= sample) {
      for (int i = 0; i < counters.length; i++) {
        counters[i] = (byte) (counters[i] / 2);
      }
      counted /= 2;
    }
  }

  int frequency(long name) {
    int least = MAX_COUNT;
    for (int row = 0; row < ROWS; row++) {
      least = Math.min(least, counters[at(name, row)]);
    }
    return least;
  }

  private int at(long name, int row) {
    return row * (rowMask + 1) + ((int) SlotNames.mix(name + row) & rowMask);
  }
}
