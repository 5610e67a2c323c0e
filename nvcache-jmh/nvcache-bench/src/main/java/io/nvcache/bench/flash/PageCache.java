// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Takes a file out of the page cache, which Java has no call for. */
final class PageCache {
  private static final int CHUNK_BYTES = 1 << 20;

  private PageCache() {}

  /**
   * Writes all bytes over themselves past the page cache, upon which Linux drops the pages that it
   * has of them, mapped or not. The file must not be written to at the same time.
   *
   * @param direct a channel for reading and writing past the page cache
   * @param alignmentBytes what direct I/O demands; a power of two
   */
  static void drop(FileChannel direct, int alignmentBytes) throws IOException {
    ByteBuffer chunk =
        ByteBuffer.allocateDirect(CHUNK_BYTES + alignmentBytes).alignedSlice(alignmentBytes);
    long bytes = direct.size() & -alignmentBytes;
    for (long at = 0; at < bytes; at += CHUNK_BYTES) {
      int length = (int) Math.min(CHUNK_BYTES, bytes - at);
      if (direct.read(chunk.clear().limit(length), at) != length
          || direct.write(chunk.flip(), at) != length) {
        throw new IOException("a short transfer at " + at);
      }
    }
  }
}
