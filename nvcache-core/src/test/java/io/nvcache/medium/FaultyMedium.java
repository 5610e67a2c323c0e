// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A medium that counts what is done to it and fails on demand. Hides its addresses unless told
 * otherwise, so that all access goes through {@link #read} and {@link #write}.
 */
public final class FaultyMedium implements Medium {
  public final AtomicLong reads = new AtomicLong();
  public final AtomicLong writes = new AtomicLong();
  public final AtomicLong writtenBytes = new AtomicLong();
  public volatile boolean failReads;
  public volatile boolean failWrites;
  public volatile boolean showAddresses;
  public volatile @Nullable CountDownLatch holdWrites;
  public volatile WriteCost writeCost = WriteCost.FREE_REMOVALS;
  public final AtomicInteger closed = new AtomicInteger();

  private final Medium inner;

  public FaultyMedium(Medium inner) {
    this.inner = inner;
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
    inner.read(offset, dst, length);
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
    writtenBytes.addAndGet(length);
    inner.write(offset, src, srcPosition, length);
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
