// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.format.LogRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Makes changes of files, of parts of what callers have in their buffers. Makes no garbage. */
final class FileChange {
  private FileChange() {}

  /**
   * Cuts a file, or writes bytes of buffers, whose positions move.
   *
   * @param type of a record
   * @param first the first buffer that has any
   * @param length how many bytes are written
   * @param at where to, or the length to cut to
   */
  static void apply(
      DiskFile file, int type, ByteBuffer @Nullable [] sources, int first, int length, long at)
      throws IOException {
    if (type == LogRecord.TRUNCATE) {
      file.truncate(at);
      return;
    }
    if (sources == null) {
      return;
    }
    long to = at;
    int left = length;
    for (int i = first; left > 0; i++) {
      ByteBuffer source = sources[i];
      int n = Math.min(source.remaining(), left);
      int limit = source.limit();
      source.limit(source.position() + n);
      try {
        file.write(source, to);
      } finally {
        source.limit(limit);
      }
      to += n;
      left -= n;
    }
  }

  /** Moves the buffers' positions as a write to a channel does. */
  static void consume(ByteBuffer @Nullable [] sources, int first, int length) {
    int left = length;
    for (int i = first; sources != null && left > 0; i++) {
      int n = Math.min(sources[i].remaining(), left);
      sources[i].position(sources[i].position() + n);
      left -= n;
    }
  }
}
