// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A file system each of whose requests takes longer by a delay, as behind a network do: the thread
 * sleeps, and takes no processor time. A stream that reads on where it was makes no new request.
 * Reads are delayed once that is switched on, so that caches can be filled before.
 */
final class DelayedFileSystem extends FilterFileSystem {
  private volatile long delayMillis;
  private final Sleeper sleeper;
  private volatile boolean delays;

  /** Keeps the calling thread. */
  @FunctionalInterface
  interface Sleeper {
    void sleep(long millis) throws InterruptedException;
  }

  DelayedFileSystem(FileSystem fileSystem, Duration delay) {
    this(fileSystem, delay.toMillis(), Thread::sleep);
  }

  DelayedFileSystem(FileSystem fileSystem, long delayMillis, Sleeper sleeper) {
    super(fileSystem);
    this.delayMillis = delayMillis;
    this.sleeper = sleeper;
  }

  /** Sets by how much reads take longer. */
  void setDelay(Duration delay) {
    delayMillis = delay.toMillis();
  }

  /** Delays reads from now on, or no more. */
  void delayReads(boolean on) {
    delays = on && delayMillis > 0;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
    return new FSDataInputStream(new DelayedStream(super.open(path, bufferBytes)));
  }

  private void delay() throws IOException {
    if (delays) {
      try {
        sleeper.sleep(delayMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted in a delayed read");
      }
    }
  }

  private final class DelayedStream extends FSInputStream {
    private final FSDataInputStream in;
    private long end = -1;

    DelayedStream(FSDataInputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      delayUnlessItReadsOn();
      int read = in.read();
      end = in.getPos();
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      delayUnlessItReadsOn();
      int read = in.read(bytes, offset, length);
      end = in.getPos();
      return read;
    }

    private void delayUnlessItReadsOn() throws IOException {
      if (in.getPos() != end) {
        delay();
      }
    }

    @Override
    public int read(long position, byte[] bytes, int offset, int length) throws IOException {
      delay();
      return in.read(position, bytes, offset, length);
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long position) throws IOException {
      return in.seekToNewSource(position);
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
