// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/** A delegate whose reads are counted, can be held up, and fail on demand. */
final class FaultyDirectory extends FilterDirectory {
  /** What every failure that was put in says. */
  static final String INJECTED = "injected by the test";

  /** Requests as the delegate sees them: reads of a range at once. */
  final AtomicLong requests = new AtomicLong();

  final AtomicLong failures = new AtomicLong();

  /** One of so many reads fails; 0 for none. */
  volatile int failOneOf;

  /** Failures are none that Lucene's directories declare, as those of many clients of stores. */
  volatile boolean failUnchecked;

  volatile @Nullable CountDownLatch hold;

  /** Called between the delegate's opening of a file and the return of the input. */
  volatile Runnable whileOpening = () -> {};

  /** Called before the delegate renames a file. */
  volatile Runnable whileRenaming = () -> {};

  FaultyDirectory(Directory in) {
    super(in);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = super.openInput(name, context);
    whileOpening.run();
    return new FaultyInput(input, 0, -1);
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    whileRenaming.run();
    super.rename(source, dest);
  }

  private void befall() throws IOException {
    long number = requests.incrementAndGet();
    int oneOf = failOneOf;
    if (oneOf > 0 && (number * 0x9E3779B97F4A7C15L >>> 33) % oneOf == 0) {
      failures.incrementAndGet();
      if (failUnchecked) {
        throw new IllegalStateException(INJECTED);
      }
      throw new IOException(INJECTED);
    }
    CountDownLatch latch = hold;
    if (latch != null) {
      while (latch.getCount() > 0) {
        LockSupport.parkNanos(100_000);
      }
    }
  }

  private final class FaultyInput extends BufferedIndexInput {
    private IndexInput in;
    private final long start;
    private final long length;
    private boolean root = true;

    FaultyInput(IndexInput in, long start, long length) {
      super("Faulty(" + in + ")", MIN_BUFFER_SIZE);
      this.in = in;
      this.start = start;
      this.length = length < 0 ? in.length() : length;
    }

    @Override
    protected void readInternal(java.nio.ByteBuffer dst) throws IOException {
      try {
        befall();
      } catch (IOException | RuntimeException e) { // Part of it may have come before.
        Arrays.fill(dst.array(), dst.arrayOffset() + dst.position(), dst.limit(), (byte) 0x5A);
        throw e;
      }
      in.seek(start + getFilePointer());
      in.readBytes(dst.array(), dst.arrayOffset() + dst.position(), dst.remaining());
      dst.position(dst.limit());
    }

    @Override
    protected void seekInternal(long position) {}

    @Override
    public long length() {
      return length;
    }

    @Override
    public FaultyInput clone() {
      FaultyInput clone = (FaultyInput) super.clone();
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
