// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** What guards a block between its being written to the medium and its being read. */
enum Checksum {
  /** Nothing: the medium is trusted. */
  NONE(0) {
    @Override
    int of(ByteBuffer block) {
      return 0;
    }
  },

  /** CRC-32C (Castagnoli), for which processors have an instruction. */
  CRC32C(Integer.BYTES) {
    @Override
    int of(ByteBuffer block) {
      CRC32C crc = new CRC32C();
      crc.update(block);
      return (int) crc.getValue();
    }
  };

  private final int lengthBytes;

  Checksum(int lengthBytes) {
    this.lengthBytes = lengthBytes;
  }

  /** The checksum's length. */
  int lengthBytes() {
    return lengthBytes;
  }

  /** The checksum of the remaining bytes, whose position may move. */
  abstract int of(ByteBuffer block);
}
