// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import io.nvcache.memory.OffHeapBytes;

/**
 * The checksum of the block in each slot of the index: four bytes a slot, beside the index, whose
 * buckets are full. They belong to the slot's bucket: written inside its lock, read under its
 * version.
 */
final class BlockSums implements AutoCloseable {
  private final OffHeapBytes sums;

  BlockSums(int slots) {
    this.sums = OffHeapBytes.zeroed((long) slots * Integer.BYTES, Long.BYTES);
  }

  int get(int slot) {
    return sums.getInt((long) slot * Integer.BYTES);
  }

  void set(int slot, int sum) {
    sums.putInt((long) slot * Integer.BYTES, sum);
  }

  long metadataBytes() {
    return sums.sizeBytes();
  }

  @Override
  public void close() {
    sums.close();
  }
}
