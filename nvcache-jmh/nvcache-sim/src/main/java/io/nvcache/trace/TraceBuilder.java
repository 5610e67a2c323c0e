// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.util.Arrays;

/** Gathers the records of a trace and numbers its blocks by first appearance. */
public final class TraceBuilder {
  /** Beyond this a place would not fit a file's offset; such numbers are hashes anyway. */
  private static final long MAX_PLACE = 1L << 44;

  private static final int START = 1 << 6;

  /** As many as an array takes. */
  private static final int MAX_RECORDS = Integer.MAX_VALUE - 8;

  private byte[] ops = new byte[START];
  private int[] blocks = new int[START];
  private int[] sizes = new int[START];
  private int records;

  private final PlaceTable places = new PlaceTable();
  private int[] largestSizes = new int[START];
  private boolean placesFit = true;

  /**
   * Adds a record.
   *
   * @param place the source's number of the block
   * @param sizeBytes ≥ 0
   */
  public void add(TraceOp op, long place, int sizeBytes) {
    if (records == ops.length) {
      grow();
    }
    placesFit &= place >= 0 && place < MAX_PLACE;
    int block = places.number(place);
    if (block == largestSizes.length) {
      largestSizes = Arrays.copyOf(largestSizes, largestSizes.length * 2);
    }
    largestSizes[block] = Math.max(largestSizes[block], sizeBytes);
    ops[records] = (byte) op.code();
    blocks[records] = block;
    sizes[records] = sizeBytes;
    records++;
  }

  private void grow() {
    if (records == MAX_RECORDS) {
      throw new IllegalStateException(
          "the trace has more than " + MAX_RECORDS + " records; replay it in parts");
    }
    int capacity = (int) Math.min(MAX_RECORDS, records * 2L);
    ops = Arrays.copyOf(ops, capacity);
    blocks = Arrays.copyOf(blocks, capacity);
    sizes = Arrays.copyOf(sizes, capacity);
  }

  int records() {
    return records;
  }

  public Trace build() {
    long[] numbers = places.inOrder();
    if (!placesFit) {
      Arrays.setAll(numbers, block -> block);
    }
    return new Trace(
        ops, blocks, sizes, records, numbers, Arrays.copyOf(largestSizes, numbers.length));
  }
}
