// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.memory.AlignedBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** The granule of a file or a device that a {@link Mark} lies in. Not thread-safe. */
final class MarkPlace {
  private final FileChannel channel;
  private final long at;
  private final int granuleBytes;
  private final AlignedBuffer buffer;

  MarkPlace(FileChannel channel, long at, int granuleBytes) {
    this.channel = channel;
    this.at = at;
    this.granuleBytes = granuleBytes;
    this.buffer = AlignedBuffer.allocate(granuleBytes, granuleBytes);
  }

  /** Returns what lies there; null if it is no mark. */
  @Nullable Mark read() throws IOException {
    return isRead() ? Mark.decode(buffer.whole().clear()) : null;
  }

  /** Returns whether a mark lies there, or one that was damaged. */
  boolean holdsOne() throws IOException {
    return isRead() && Mark.wasOne(buffer.whole().clear());
  }

  private boolean isRead() throws IOException {
    ByteBuffer granule = buffer.first(granuleBytes);
    while (granule.hasRemaining()) {
      int read = channel.read(granule, at + granule.position());
      if (read <= 0 || (granule.hasRemaining() && read % Mark.SECTOR_BYTES != 0)) {
        return false; // The file ends before.
      }
    }
    return true;
  }

  /** Writes a mark, down to the disk. */
  void write(Mark mark) throws IOException {
    mark.encode(buffer.whole().clear());
    ByteBuffer granule = buffer.first(granuleBytes);
    while (granule.hasRemaining()) {
      channel.write(granule, at + granule.position());
    }
    channel.force(true);
  }
}
