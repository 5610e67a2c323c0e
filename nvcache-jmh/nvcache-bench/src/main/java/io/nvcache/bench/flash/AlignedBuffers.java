// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import java.nio.ByteBuffer;

/** Buffers that a drive can read into as they are. */
final class AlignedBuffers {
  /** A multiple of what direct I/O wants of any file system that is measured. */
  private static final int ALIGNMENT = 4 << 10;

  private AlignedBuffers() {}

  static ByteBuffer of(int lengthBytes) {
    return ByteBuffer.allocateDirect(lengthBytes + ALIGNMENT)
        .alignedSlice(ALIGNMENT)
        .limit(lengthBytes)
        .slice();
  }
}
