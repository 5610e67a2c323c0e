// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Remote storage: each read of a file takes a time, whatever its length and wherever the page cache
 * of this machine has the bytes. Lucene's buffer stands in front, as in {@code NIOFSDirectory}.
 */
final class DelayedDirectory extends FilterDirectory {
  private final long latencyNanos;

  DelayedDirectory(Directory in, Duration latency) {
    super(in);
    this.latencyNanos = latency.toNanos();
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new DelayedInput(super.openInput(name, context), context);
  }

  private final class DelayedInput extends BufferedIndexInput {
    private IndexInput in;
    private boolean root = true;

    DelayedInput(IndexInput in, IOContext context) {
      super("Delayed(" + in + ")", context);
      this.in = in;
    }

    @Override
    protected void readInternal(ByteBuffer dst) throws IOException {
      long due = System.nanoTime() + latencyNanos;
      in.seek(getFilePointer());
      in.readBytes(dst.array(), dst.arrayOffset() + dst.position(), dst.remaining());
      dst.position(dst.limit());
      long left = due - System.nanoTime();
      while (left > 0 && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(this, left);
        left = due - System.nanoTime();
      }
    }

    @Override
    protected void seekInternal(long position) {}

    @Override
    public long length() {
      return in.length();
    }

    @Override
    public DelayedInput clone() {
      DelayedInput clone = (DelayedInput) super.clone();
      clone.in = in.clone();
      clone.root = false;
      return clone;
    }

    @Override
    public void close() throws IOException {
      if (root) {
        in.close();
      }
    }
  }
}
