// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.medium.Fault.Kind;
import io.nvcache.medium.Fault.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A medium that counts what is done to it and fails on demand. Hides its addresses unless told
 * otherwise, so that all access goes through {@link #read} and {@link #write}.
 */
public class FaultyMedium implements Medium {
  public final AtomicLong reads = new AtomicLong();
  public final AtomicLong writes = new AtomicLong();
  public final AtomicLong writtenBytes = new AtomicLong();

  /** Calls of {@link #readAll}; its reads count as any others. */
  public final AtomicLong batches = new AtomicLong();

  /** How often a fault of any kind was put in. */
  public final AtomicLong injected = new AtomicLong();

  public volatile boolean failReads;
  public volatile boolean failWrites;
  public volatile boolean showAddresses;

  /** Whether all of it has no address, so that each extent is asked for its own. */
  public volatile boolean inPieces;

  public volatile @Nullable CountDownLatch holdWrites;
  public volatile WriteCost writeCost = WriteCost.FREE_REMOVALS;
  public final AtomicInteger closed = new AtomicInteger();

  /** What it says to be able to read at once. */
  public volatile int readsAtOnce = 1;

  /** What {@link #readAll} waits for after it has read; its wait counts as injected. */
  public volatile @Nullable CountDownLatch holdBatches;

  /** What {@link #readAll} throws after it has read half of the ranges. */
  public volatile @Nullable RuntimeException batchFailure;

  /** What {@link #check} says is wrong. */
  public volatile @Nullable String broken;

  private final Medium inner;
  private volatile @Nullable Fault fault;
  private volatile LongPredicate where = offset -> true;
  private volatile CountDownLatch stuck = new CountDownLatch(1);

  public FaultyMedium(Medium inner) {
    this.inner = inner;
  }

  /** From now on every operation this fault can befall suffers it. */
  public void inject(Fault kind) {
    inject(kind, offset -> true);
  }

  /** The same for some of the offsets only. */
  public void inject(Fault kind, LongPredicate offsets) {
    where = offsets;
    fault = kind;
  }

  /** Ends the fault, and lets go who is stuck. */
  public void heal() {
    fault = null;
    stuck.countDown();
    stuck = new CountDownLatch(1);
  }

  /** What happens to an operation, if it is not over with that: it may throw, or wait. */
  private @Nullable Kind befalls(Operation operation, long offset) throws IOException {
    Fault now = fault;
    if (now == null || now.operation() != operation || !where.test(offset)) {
      return null;
    }
    CountDownLatch released = stuck;
    injected.incrementAndGet();
    switch (now.kind()) {
      case ERROR -> throw new IOException("injected");
      case UNCHECKED -> throw new IllegalStateException("injected");
      case GONE -> throw new InternalError("injected");
      case SLOW -> pause();
      case STUCK -> awaitUninterruptibly(released);
      case SHORT, FLIP, FULL -> {}
    }
    return now.kind();
  }

  /** Waits until a fault has befallen a call. */
  public void awaitInjection() {
    while (injected.get() == 0) {
      Thread.onSpinWait();
    }
  }

  @Override
  public long capacityBytes() {
    return inner.capacityBytes();
  }

  @Override
  public int alignmentBytes() {
    return inner.alignmentBytes();
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    reads.incrementAndGet();
    if (failReads) {
      throw new IOException("injected");
    }
    Kind kind = befalls(Operation.READ, offset);
    inner.read(offset, dst, kind == Kind.SHORT ? length / 2 : length);
    if (kind == Kind.FLIP) {
      int at = dst.position() + length / 3;
      dst.put(at, (byte) (dst.get(at) ^ 0x10));
    }
  }

  @Override
  public int readsAtOnce() {
    return readsAtOnce;
  }

  @Override
  public void readAll(ReadBatch batch) {
    batches.incrementAndGet();
    RuntimeException failure = batchFailure;
    if (failure == null) {
      Medium.super.readAll(batch);
      CountDownLatch hold = holdBatches;
      if (hold != null) {
        injected.incrementAndGet();
        awaitUninterruptibly(hold);
      }
      return;
    }
    ReadBatch half = new ReadBatch(batch.most());
    for (int i = 0; i < batch.size(); i += 2) {
      half.add(batch.offset(i), batch.buffer(i), batch.lengthBytes(i));
    }
    Medium.super.readAll(half);
    for (int i = 0; i < half.size(); i++) {
      if (half.isRead(i)) {
        batch.succeeded(2 * i);
      }
    }
    throw failure;
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    writes.incrementAndGet();
    CountDownLatch hold = holdWrites;
    if (hold != null) {
      awaitUninterruptibly(hold);
    }
    if (failWrites) {
      throw new IOException("injected");
    }
    Kind kind = befalls(Operation.WRITE, offset);
    if (kind == Kind.SHORT || kind == Kind.FULL) {
      inner.write(offset, src, srcPosition, length / 2);
      if (kind == Kind.FULL) {
        throw new IOException("No space left on device");
      }
      return;
    }
    writtenBytes.addAndGet(length);
    if (kind == Kind.FLIP) {
      ByteBuffer flipped = ByteBuffer.allocate(length).put(0, src, srcPosition, length);
      int at = length / 3;
      inner.write(offset, flipped.put(at, (byte) (flipped.get(at) ^ 0x10)), 0, length);
    } else {
      inner.write(offset, src, srcPosition, length);
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    befalls(Operation.PERSIST, offset);
    inner.persist(offset, length);
  }

  @Override
  public void check() throws IOException {
    String wrong = broken;
    if (wrong != null) {
      throw new IOException(wrong);
    }
    befalls(Operation.CHECK, 0);
    inner.check();
  }

  @Override
  public long address(long offset, long length) {
    if (!showAddresses || (inPieces && length == capacityBytes())) {
      return 0;
    }
    try {
      befalls(Operation.ADDRESS, offset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return inner.address(offset, length);
  }

  @Override
  public Durability durability() {
    return inner.durability();
  }

  @Override
  public WriteCost writeCost() {
    return writeCost;
  }

  @Override
  public String describe() {
    return "faulty " + inner.describe();
  }

  @Override
  public void close() {
    closed.incrementAndGet();
    inner.close();
  }
}
