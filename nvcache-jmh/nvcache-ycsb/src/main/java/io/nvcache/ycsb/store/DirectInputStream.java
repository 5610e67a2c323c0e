// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.fs.FSInputStream;

/**
 * Hadoop's view of an {@link AlignedReader}. Positional reads, which are all that block reads use,
 * may run in many threads at once; the reads that move the stream may not.
 */
final class DirectInputStream extends FSInputStream {
  private final AlignedReader reader;
  private final long lengthBytes;
  private long position;

  DirectInputStream(AlignedReader reader) {
    this.reader = reader;
    this.lengthBytes = reader.lengthBytes();
  }

  @Override
  public int read(long at, byte[] dst, int offset, int length) throws IOException {
    validatePositionedReadArgs(at, dst, offset, length);
    return reader.read(at, dst, offset, length);
  }

  @Override
  public int read(byte[] dst, int offset, int length) throws IOException {
    int read = read(position, dst, offset, length);
    if (read > 0) {
      position += read;
    }
    return read;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public void seek(long to) throws IOException {
    if (to < 0 || to > lengthBytes) {
      throw new EOFException("Can't seek to " + to + " in a file of " + lengthBytes + " bytes");
    }
    position = to;
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public boolean seekToNewSource(long target) {
    return false;
  }

  @Override
  public int available() {
    return (int) Math.min(Integer.MAX_VALUE, lengthBytes - position);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
