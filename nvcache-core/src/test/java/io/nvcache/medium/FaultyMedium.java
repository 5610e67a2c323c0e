// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
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
public final class FaultyMedium implements Medium {
  public final AtomicLong reads = new AtomicLong();
  public final AtomicLong writes = new AtomicLong();
  public final AtomicLong writtenBytes = new AtomicLong();

  /** How often a fault of any kind was put in. */
  public final AtomicLong injected = new AtomicLong();

  public volatile boolean failReads;
  public volatile boolean failWrites;
  public volatile boolean showAddresses;
  public volatile @Nullable CountDownLatch holdWrites;
  public volatile WriteCost writeCost = WriteCost.FREE_REMOVALS;
  public final AtomicInteger closed = new AtomicInteger();

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

  private boolean suffers(Fault kind, long offset) {
    if (fault == kind && where.test(offset)) {
      injected.incrementAndGet();
      return true;
    }
    return false;
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
    if (failReads || suffers(Fault.READ_ERROR, offset)) {
      throw new IOException("injected");
    }
    if (suffers(Fault.STUCK_READ, offset)) {
      awaitUninterruptibly(stuck);
    }
    if (suffers(Fault.LATENCY, offset)) {
      pause();
    }
    if (suffers(Fault.SHORT_READ, offset)) {
      inner.read(offset, dst, length / 2);
      return;
    }
    inner.read(offset, dst, length);
    if (suffers(Fault.BIT_FLIP, offset)) {
      int at = dst.position() + length / 3;
      dst.put(at, (byte) (dst.get(at) ^ 0x10));
    }
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    writes.incrementAndGet();
    CountDownLatch hold = holdWrites;
    if (hold != null) {
      awaitUninterruptibly(hold);
    }
    if (failWrites || suffers(Fault.WRITE_ERROR, offset)) {
      throw new IOException("injected");
    }
    if (suffers(Fault.OUT_OF_SPACE, offset)) {
      inner.write(offset, src, srcPosition, length / 2);
      throw new IOException("No space left on device");
    }
    if (suffers(Fault.STUCK_WRITE, offset)) {
      awaitUninterruptibly(stuck);
    }
    if (suffers(Fault.LATENCY, offset)) {
      pause();
    }
    if (suffers(Fault.TORN_WRITE, offset)) {
      inner.write(offset, src, srcPosition, length / 2);
      return;
    }
    writtenBytes.addAndGet(length);
    inner.write(offset, src, srcPosition, length);
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
    inner.persist(offset, length);
  }

  @Override
  public void check() throws IOException {
    String wrong = broken;
    if (wrong != null) {
      throw new IOException(wrong);
    }
    inner.check();
  }

  @Override
  public long address(long offset, long length) {
    return showAddresses ? inner.address(offset, length) : 0;
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
