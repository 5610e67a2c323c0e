// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** The local file system under its own scheme, {@code dio:}, whose reads are direct. */
final class DirectIoFileSystem extends RawLocalFileSystem {
  private static final URI ROOT = URI.create("dio:///");

  private final DirectIo directIo;

  DirectIoFileSystem(DirectIo directIo, Configuration configuration) throws IOException {
    this.directIo = directIo;
    initialize(ROOT, configuration);
  }

  @Override
  public URI getUri() {
    return ROOT;
  }

  @Override
  public String getScheme() {
    return ROOT.getScheme();
  }

  /** Names a local file in this file system. */
  static Path path(java.nio.file.Path file) {
    return new Path(ROOT.getScheme(), "", file.toAbsolutePath().toString());
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    return new FSDataInputStream(new DirectInputStream(directIo.open(pathToFile(file).toPath())));
  }

  /**
   * Hadoop's view of an {@link AlignedReader}. Positional reads, which are all that block reads
   * use, may run in many threads at once; the reads that move the stream may not.
   */
  private static final class DirectInputStream extends FSInputStream {
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
}
