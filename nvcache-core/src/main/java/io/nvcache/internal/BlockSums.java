// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.memory.OffHeapBytes;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksum of the block in each slot of the index: four bytes a slot, beside the index, whose
 * buckets are full. They belong to the slot's bucket: written inside its lock, read under its
 * version.
 */
final class BlockSums implements AutoCloseable {
  /** One for each thread, since a lookup allocates nothing. */
  private static final ThreadLocal<CRC32C> CRC = ThreadLocal.withInitial(CRC32C::new);

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

  /**
   * The CRC-32C of some bytes of a buffer, which must be the calling thread's own: its position and
   * limit are moved, and put back.
   */
  static int sum(ByteBuffer bytes, int position, int lengthBytes) {
    CRC32C crc = CRC.get();
    crc.reset();
    int positionBefore = bytes.position();
    int limitBefore = bytes.limit();
    try {
      bytes.limit(position + lengthBytes).position(position);
      crc.update(bytes);
    } finally {
      bytes.limit(limitBefore).position(positionBefore);
    }
    return (int) crc.getValue();
  }

  @Override
  public void close() {
    sums.close();
  }
}
