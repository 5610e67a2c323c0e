// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A medium of any capacity, in memory: only pages with a byte other than zero take some. Like
 * direct I/O it refuses what is not aligned. What was not flushed, or whose flush failed, is lost
 * with power; a write that fails has written half.
 */
public final class SparseMedium implements Medium {
  private static final int PAGE = 4096;
  private static final byte[] ZEROS = new byte[PAGE];

  private final ConcurrentHashMap<Long, byte[]> pages;
  private final ConcurrentHashMap<Long, byte[]> flushed;
  private final Set<Long> written = ConcurrentHashMap.newKeySet();
  private volatile Interposer interposer = (operation, offset) -> {};
  private final long capacityBytes;
  private final int alignmentBytes;
  private final int regionBytes;

  /** What is done to the medium. */
  public enum Operation {
    READ,
    WRITE,
    FLUSH
  }

  /** Sees each operation before it is done, and may have it fail. */
  @FunctionalInterface
  public interface Interposer {
    /** Throws what the operation is to fail with. */
    void before(Operation operation, long offset) throws IOException;
  }

  /** An empty medium, which likes regions of this length, or none if it is 0. */
  public SparseMedium(long capacityBytes, int alignmentBytes, int regionBytes) {
    this(new ConcurrentHashMap<>(), capacityBytes, alignmentBytes, regionBytes);
  }

  private SparseMedium(
      ConcurrentHashMap<Long, byte[]> pages,
      long capacityBytes,
      int alignmentBytes,
      int regionBytes) {
    this.pages = pages;
    this.flushed = new ConcurrentHashMap<>(pages);
    this.capacityBytes = capacityBytes;
    this.alignmentBytes = alignmentBytes;
    this.regionBytes = regionBytes;
  }

  /** Returns what the end of the process leaves now: a medium that has these bytes. */
  public SparseMedium afterKill() {
    return new SparseMedium(
        new ConcurrentHashMap<>(pages), capacityBytes, alignmentBytes, regionBytes);
  }

  /** Returns what the loss of power leaves now. */
  public SparseMedium afterPowerLoss() {
    return new SparseMedium(
        new ConcurrentHashMap<>(flushed), capacityBytes, alignmentBytes, regionBytes);
  }

  /** Has someone see each operation from now on. */
  public SparseMedium interpose(Interposer between) {
    interposer = between;
    return this;
  }

  private void check(long offset, long length) throws IOException {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    if (regionBytes > 0 && (offset | length) % alignmentBytes != 0) {
      throw new IOException(
          length + " bytes at " + offset + " are not aligned to " + alignmentBytes);
    }
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public int alignmentBytes() {
    return alignmentBytes;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    check(offset, length);
    interposer.before(Operation.READ, offset);
    int done = 0;
    while (done < length) {
      int from = (int) ((offset + done) % PAGE);
      int part = Math.min(PAGE - from, length - done);
      byte[] page = pages.getOrDefault((offset + done) / PAGE, ZEROS);
      dst.put(dst.position() + done, page, from, part);
      done += part;
    }
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    check(offset, length);
    try {
      interposer.before(Operation.WRITE, offset);
    } catch (IOException | RuntimeException | Error failure) {
      put(offset, src, srcPosition, length / 2);
      throw failure;
    }
    put(offset, src, srcPosition, length);
  }

  private void put(long offset, ByteBuffer src, int srcPosition, int length) {
    int done = 0;
    while (done < length) {
      long number = (offset + done) / PAGE;
      int from = (int) ((offset + done) % PAGE);
      int part = Math.min(PAGE - from, length - done);
      byte[] page = pages.getOrDefault(number, ZEROS).clone();
      src.get(srcPosition + done, page, from, part);
      if (Arrays.equals(page, ZEROS)) {
        pages.remove(number);
      } else {
        pages.put(number, page);
      }
      written.add(number);
      done += part;
    }
  }

  @Override
  public synchronized void persist(long offset, long length) throws IOException {
    try {
      interposer.before(Operation.FLUSH, offset);
      for (long number : written) {
        byte[] page = pages.get(number);
        if (page == null) {
          flushed.remove(number);
        } else {
          flushed.put(number, page);
        }
      }
    } finally {
      written.clear(); // Of a flush that failed, the next one knows nothing.
    }
  }

  @Override
  public long address(long offset, long length) {
    return 0;
  }

  @Override
  public Durability durability() {
    return Durability.POWER_FAIL;
  }

  @Override
  public WriteCost writeCost() {
    return WriteCost.FREE_REMOVALS;
  }

  @Override
  public int regionBytes() {
    return regionBytes;
  }

  @Override
  public String describe() {
    return "sparse medium of " + capacityBytes + " bytes";
  }

  @Override
  public void close() {}
}
