// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.medium.ForeignFile;
import io.nvcache.medium.ForeignFileException;
import io.nvcache.memory.AlignedBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The contents of a file or a device before a cache writes to it: nothing, what an earlier cache
 * left, or something that is not to be lost.
 */
final class EarlierContents {
  /** Where others leave their marks, at the beginning and the end of a device. */
  private static final int DEVICE_END_BYTES = 1 << 20;

  private static final int STEP_BYTES = 1 << 20;

  private final Path path;
  private final FileChannel channel;
  private final int granuleBytes;

  /**
   * Makes what looks at a file.
   *
   * @param granuleBytes of positions and lengths
   */
  EarlierContents(Path path, FileChannel channel, int granuleBytes) {
    this.path = path;
    this.channel = channel;
    this.granuleBytes = granuleBytes;
  }

  /**
   * Throws if a file holds something that is not to be lost, or is in use by another process.
   *
   * @return whether there was nothing in it
   */
  boolean requireOurs(ForeignFile foreign) throws IOException {
    long size = channel.size();
    if (size == 0) {
      return true;
    }
    for (MarkPlace place : new MarkPlace[] {begin(), mappedEnd(size)}) {
      if (place.holdsOne()) {
        OwnerMark.requireFree(path, place);
        return false;
      }
    }
    boolean blank = isBlank(0, size);
    if (!blank && foreign == ForeignFile.REFUSED) {
      throw new ForeignFileException(path);
    }
    return blank;
  }

  /** The same for a device, of which only the ends are looked at. */
  boolean requireOursOrBlank() throws IOException {
    Mark mark = begin().read();
    if (mark != null) {
      OwnerMark.requireFree(path, begin());
      return false;
    }
    long size = channel.size();
    long last = Math.max(0, size - DEVICE_END_BYTES) & -granuleBytes;
    if (!isBlank(0, Math.min(size, DEVICE_END_BYTES)) || !isBlank(last, size)) {
      throw new IOException(
          "can't use "
              + path
              + ": it holds something that no cache wrote; name another, or clear this one with"
              + " blkdiscard -z "
              + path);
    }
    return true;
  }

  private MarkPlace begin() {
    return new MarkPlace(channel, 0, granuleBytes);
  }

  /** Where larger granules don't lie, a mark is not found. */
  private MarkPlace mappedEnd(long size) {
    int bytes = Math.max(granuleBytes, MappedFile.MARK_BYTES);
    return new MarkPlace(channel, Math.max(0, size - bytes) & -granuleBytes, bytes);
  }

  private boolean isBlank(long from, long to) throws IOException {
    ByteBuffer bytes = AlignedBuffer.allocate(STEP_BYTES, granuleBytes).first(STEP_BYTES);
    for (long at = from; at < to; ) {
      int read = channel.read(bytes.clear(), at);
      if (read <= 0) {
        return true;
      }
      for (bytes.flip(); bytes.remaining() >= Long.BYTES; ) {
        if (bytes.getLong() != 0) {
          return false;
        }
      }
      while (bytes.hasRemaining()) {
        if (bytes.get() != 0) {
          return false;
        }
      }
      at += read;
    }
    return true;
  }
}
