// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Remote storage: each read of a file takes a time, whatever its length and wherever the page cache
 * of this machine has the bytes. Lucene's buffer stands in front, as in {@code NIOFSDirectory}.
 */
final class DelayedDirectory extends FilterDirectory {
  private final Latency latency;

  /** How late reads are, for all directories of a run; none are while {@link #pause paused}. */
  static final class Latency {
    private final long nanos;
    private volatile boolean paused;

    Latency(Duration latency) {
      this.nanos = latency.toNanos();
    }

    void pause(boolean on) {
      paused = on;
    }

    long nanos() {
      return paused ? 0 : nanos;
    }
  }

  DelayedDirectory(Directory in, Latency latency) {
    super(in);
    this.latency = latency;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new DelayedInput(super.openInput(name, context), context);
  }

  private final class DelayedInput extends InputOver {
    DelayedInput(IndexInput in, IOContext context) {
      super("Delayed(" + in + ")", in, context);
    }

    @Override
    protected void readInternal(ByteBuffer dst) throws IOException {
      long due = System.nanoTime() + latency.nanos();
      in().seek(getFilePointer());
      in().readBytes(dst.array(), dst.arrayOffset() + dst.position(), dst.remaining());
      dst.position(dst.limit());
      long left = due - System.nanoTime();
      while (left > 0 && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(this, left);
        left = due - System.nanoTime();
      }
    }
  }
}
