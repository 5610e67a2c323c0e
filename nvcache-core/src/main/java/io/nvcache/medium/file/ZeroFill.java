// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.memory.AlignedBuffer;
import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * Writes zeros over files, so that each of their blocks is allocated and none has its old bytes.
 */
public final class ZeroFill {
  private static final int STEP_BYTES = 1 << 20;

  /** No file system asks for more where its files are accessed directly. */
  private static final int MOST_ALIGNED_BYTES = 64 << 10;

  private ZeroFill() {}

  /**
   * Writes zeros over a part of a file, down to the disk; it grows if it must.
   *
   * @param from where they begin
   * @param to where they end
   */
  public static void fill(FileChannel file, long from, long to) throws IOException {
    FillProgress progress = new FillProgress(from, to, System::nanoTime);
    AlignedBuffer zeros = AlignedBuffer.allocate(STEP_BYTES, MOST_ALIGNED_BYTES);
    try {
      for (long at = from; at < to; ) {
        at += file.write(zeros.first((int) Math.min(STEP_BYTES, to - at)), at);
        progress.reached(at);
      }
    } finally {
      zeros.free();
    }
    file.force(true);
  }
}
